/** The filter of the keywords of a project, which is in the address. */
import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { ProjectOverview } from '../../model/project-overview.ts';
import { changeQuery } from '../address.ts';
import { engineTitles } from '../engines.ts';
import { count, words } from '../format.ts';
import { useAddressText, useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { SelectField, TextField } from './field.tsx';
import { useTagOptions } from './keyword-tags.tsx';

export const sizes = [50, 200, 500] as const;

/** The parts of the address that the service is asked for as they are. */
export const asked = [
  'search',
  'sort',
  'order',
  'type',
  'device',
  'status',
  'tag',
  'search_engine',
  'iso_code',
  'position_from',
  'position_to',
  'moved',
  'feature',
  'feature_of',
  'url',
  'cursor',
] as const;

export type Filter = Record<(typeof asked)[number], string> & { page: number; perPage: number };

export const filterOf = (query: URLSearchParams): Filter => ({
  ...(Object.fromEntries(asked.map((name) => [name, query.get(name) ?? ''])) as Record<
    (typeof asked)[number],
    string
  >),
  page: Math.max(1, Math.floor(Number(query.get('page'))) || 1),
  perPage: sizes.find((size) => String(size) === query.get('per_page')) ?? sizes[0],
});

const types = [
  ['', 'All types'],
  ['owner', 'Own domain'],
  ['competitor', 'Competitors'],
  ['paid', 'Ads'],
] as const;

const devices = [
  ['', 'All devices'],
  ['desktop', 'Desktop'],
  ['mobile', 'Mobile'],
] as const;

const statuses = [
  ['', 'Any state'],
  ['updated', 'Updated'],
  ['updating', 'Updating'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
] as const;

/** Another filter or order begins at the first page. */
export const go = (changes: Parameters<typeof changeQuery>[0]): void =>
  changeQuery({ cursor: '', page: '', ...changes });

const positions = [
  ['', 'Any position'],
  ['1-3', '1–3'],
  ['4-10', '4–10'],
  ['11-20', '11–20'],
  ['21-50', '21–50'],
  ['51-100', '51–100'],
  ['1-10', '1–10'],
  ['1-100', '1–100'],
  ['1000-1000', 'Not ranked'],
] as const;

const movements = [
  ['', 'Any movement'],
  ['up', 'Up'],
  ['down', 'Down'],
  ['same', 'No change'],
] as const;

const owners = [
  ['', 'Anybody'],
  ['own', 'The domain'],
  ['competitor', 'A competitor'],
  ['other', 'Another site'],
] as const;

/** The parts of the filter that are folded away. */
const folded = [
  'search_engine',
  'iso_code',
  'position_from',
  'position_to',
  'moved',
  'feature',
  'feature_of',
  'url',
] as const;

type FilterProps = { projectId: string; filter: Filter };

type ChoiceProps = Pick<ComponentProps<typeof SelectField>, 'label' | 'options'> & {
  filter: Filter;
  name: (typeof asked)[number];
};

/** A part of the filter that is chosen from a list. */
const Choice = ({ filter, name, ...field }: ChoiceProps) => (
  <SelectField {...field} value={filter[name]} onChoice={(chosen) => go({ [name]: chosen })} />
);

/** The kinds of items on the result pages of the project, as options. */
const useFeatureOptions = (projectId: string, asked: string) => {
  const { data } = useLoaded(`features/${projectId}`, (signal) =>
    call<ProjectOverview>(`api/v1/projects/${projectId}/overview`, { signal }),
  );
  const known = data?.features ?? [];
  return [
    ['', 'Any items'] as const,
    ...(asked !== '' && !known.some(({ name }) => name === asked) ? [[asked, words(asked)] as const] : []),
    ...known.map(({ name, keywords }) => [name, `${words(name)} (${count(keywords)})`] as const),
  ];
};

const MoreFilters = ({ projectId, filter }: FilterProps) => {
  const features = useFeatureOptions(projectId, filter.feature);
  const [country, setCountry] = useAddressText(filter.iso_code, (iso_code) => {
    // Half a code would be refused.
    if (iso_code.length !== 1) go({ iso_code });
  });
  const [url, setUrl] = useAddressText(filter.url, (text) => go({ url: text }));
  const range = filter.position_from && filter.position_to && `${filter.position_from}-${filter.position_to}`;
  const isOther = range !== '' && !positions.some(([each]) => each === range);
  return (
    <fieldset class="filters">
      <legend class="unseen">More filters</legend>
      <SelectField
        label="Position"
        value={range}
        options={[...positions, ...(isOther ? [[range, range] as const] : [])]}
        onChoice={(chosen) => {
          const [position_from, position_to] = chosen.split('-');
          go({ position_from, position_to });
        }}
      />
      <Choice filter={filter} name="moved" label="Movement" options={movements} />
      <Choice filter={filter} name="feature" label="On the result page" options={features} />
      <Choice filter={filter} name="feature_of" label="Items of" options={owners} />
      <Choice
        filter={filter}
        name="search_engine"
        label="Engine"
        options={[['', 'All engines'], ...Object.entries(engineTitles)]}
      />
      <TextField
        class="narrow"
        label="Country code"
        value={country}
        onText={setCountry}
        maxLength={2}
        isWord
      />
      <TextField label="Address of the page has" value={url} onText={setUrl} />
      <button
        type="button"
        class="small"
        onClick={() => go(Object.fromEntries(folded.map((name) => [name, ''])))}
      >
        Clear these
      </button>
    </fieldset>
  );
};

export const KeywordFilters = ({ projectId, filter }: FilterProps) => {
  const tags = useTagOptions(projectId, filter.tag);
  const [text, setText] = useAddressText(filter.search, (search) => go({ search }));
  const used = folded.filter((name) => filter[name] !== '' && name !== 'position_to').length;
  const [isOpen, setIsOpen] = useState(used > 0);
  return (
    <>
      <fieldset class="filters">
        <legend class="unseen">Filter</legend>
        <TextField label="Search" type="search" value={text} onText={setText} />
        <Choice filter={filter} name="type" label="Type" options={types} />
        <Choice filter={filter} name="device" label="Device" options={devices} />
        <Choice filter={filter} name="status" label="State" options={statuses} />
        <SelectField label="Tag" value={tags.chosen} options={tags.options} onChoice={(tag) => go({ tag })} />
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {used === 0 ? 'More filters' : `More filters (${used})`}
        </button>
      </fieldset>
      {isOpen && <MoreFilters projectId={projectId} filter={filter} />}
    </>
  );
};
