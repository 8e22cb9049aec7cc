/** The searches of the last 24 hours by engine, and what they cost. */
import type { Usage } from '../../model/usage.ts';
import { engineTitle } from '../engines.ts';
import { count, dollars, duration } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Figure, Figures } from '../parts/figure.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, LoadState, Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { call } from '../session.ts';

const UsageFigures = ({ usage: { total } }: { usage: Usage }) => (
  <Figures>
    <Figure name="Searches" value={count(total.searches)} />
    <Figure name="Pages fetched" value={count(total.pages)} />
    <Figure name="Estimated cost" value={dollars(total.dollars)} />
    <Figure
      name="Per 1,000 searches"
      value={total.searches === 0 ? '–' : dollars((total.dollars / total.searches) * 1000)}
    />
  </Figures>
);

const columns = [
  ['searches', 'Searches'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
  ['reused', 'Reused'],
  ['pages', 'Pages'],
] as const;

export const Spend = () => {
  const usage = useLoaded('usage', (signal) => call<Usage>('api/v1/usage', { signal }));
  const { data } = usage;
  return (
    <>
      <Heading
        title="Spend"
        lead="An estimate: AWS list prices, by the cost model of this project. Without proxies and the upstream provider."
      />
      <LoadState loaded={usage} what="the searches" />
      {data && (
        <>
          {!data.complete && (
            <Notice kind="info">
              {`You have more searches than are counted here. These are the newest ${count(data.total.searches)}, of the last ${duration(data.until - data.since)}.`}
            </Notice>
          )}
          <h2>Last {data.complete ? '24 hours' : duration(data.until - data.since)}</h2>
          <UsageFigures usage={data} />
          {data.engines.length === 0 ? (
            <Empty title="No searches.">Searches of the last 24 hours appear here.</Empty>
          ) : (
            <Table
              label="Searches by engine"
              columns={[
                ['Engine'],
                ...columns.map(([, title]) => [title, 'number'] as const),
                ['Estimated cost', 'number'],
              ]}
            >
              {data.engines.map((row) => (
                <tr key={row.engine}>
                  <th scope="row">{engineTitle(row.engine)}</th>
                  {columns.map(([name, title]) => (
                    <td key={name} class="number" data-label={title}>
                      {count(row[name])}
                    </td>
                  ))}
                  <td class="number" data-label="Estimated cost">
                    {dollars(row.dollars)}
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </>
      )}
    </>
  );
};
