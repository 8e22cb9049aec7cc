/** The searches of the last 24 hours by engine, and what they cost. */
import type { Usage } from '../../model/usage.ts';
import { engineTitle } from '../engines.ts';
import { count, dollars, duration } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Heading } from '../parts/heading.tsx';
import { Empty, Notice, Waiting } from '../parts/notice.tsx';
import { TableRoom } from '../parts/table-room.tsx';
import { call } from '../session.ts';

const Figures = ({ usage: { total } }: { usage: Usage }) => (
  <div class="figures">
    <div class="figure">
      <span class="figure-name">Searches</span>
      <span class="figure-value">{count(total.searches)}</span>
    </div>
    <div class="figure">
      <span class="figure-name">Pages fetched</span>
      <span class="figure-value">{count(total.pages)}</span>
    </div>
    <div class="figure">
      <span class="figure-name">Estimated cost</span>
      <span class="figure-value">{dollars(total.dollars)}</span>
    </div>
    <div class="figure">
      <span class="figure-name">Per 1,000 searches</span>
      <span class="figure-value">
        {total.searches === 0 ? '–' : dollars((total.dollars / total.searches) * 1000)}
      </span>
    </div>
  </div>
);

const columns = [
  ['searches', 'Searches'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
  ['reused', 'Reused'],
  ['pages', 'Pages'],
] as const;

export const Spend = () => {
  const { data, error } = useLoaded('usage', (signal) => call<Usage>('api/v1/usage', { signal }));
  return (
    <>
      <Heading
        title="Spend"
        lead="An estimate: AWS list prices, by the cost model of this project. Without proxies and the upstream provider."
      />
      {error && <Notice kind="error">{error}</Notice>}
      {!data && !error && <Waiting what="the searches" />}
      {data && (
        <>
          {!data.complete && (
            <Notice kind="info">
              {`You have more searches than are counted here. These are the newest ${count(data.total.searches)}, of the last ${duration(data.until - data.since)}.`}
            </Notice>
          )}
          <h2>Last {data.complete ? '24 hours' : duration(data.until - data.since)}</h2>
          <Figures usage={data} />
          {data.engines.length === 0 ? (
            <Empty title="No searches.">Searches of the last 24 hours appear here.</Empty>
          ) : (
            <TableRoom label="Searches by engine" class="card flush">
              <table class="rows">
                <caption class="unseen">Searches by engine</caption>
                <thead>
                  <tr>
                    <th scope="col">Engine</th>
                    {columns.map(([name, title]) => (
                      <th key={name} scope="col" class="number">
                        {title}
                      </th>
                    ))}
                    <th scope="col" class="number">
                      Estimated cost
                    </th>
                  </tr>
                </thead>
                <tbody>
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
                </tbody>
              </table>
            </TableRoom>
          )}
        </>
      )}
    </>
  );
};
