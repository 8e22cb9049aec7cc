/** Links to the report of a project: what they name, and until when. */
import { expect, test } from 'vitest';
import { makeLinkToken } from '../../../lib/access/link-token.ts';
import { reportEnd, reportLink, verifyReportToken } from '../../../lib/access/report-link.ts';

const account = { id: 7, signing_key: Buffer.alloc(32, 1).toString('base64'), enabled: true, ttl: 0 };
const readAccount = async (id: number) => (id === 7 ? account : undefined);
const base = 'https://api.example';
const report = { project_id: 3_767_392_204_849_160, ended: 2 };
const tokenOf = (link: string) => link.slice(`${base}/reports/`.length);

test('a link works for its days', () => {
  expect(reportEnd(30, 1000)).toBe(1000 + 30 * 86_400);
  expect(reportEnd(1, 1000)).toBe(1000 + 86_400);
});

test('a link is an address below the base, whose token names the report and its user', async () => {
  const link = reportLink(base, report, account, 5000);

  expect(link).toMatch(/^https:\/\/api\.example\/reports\/7\.5000\.[\w-]+\.[\w-]{43}$/);
  expect(await verifyReportToken(tokenOf(link), readAccount, 4999)).toEqual({ user: { id: 7 }, ...report });
  expect(await verifyReportToken(tokenOf(link), readAccount, 5000)).toBeNull();
});

// A link that was sent before a change of the code must still work.
test('a link that an earlier version made works', async () => {
  const known = '7.5000.Mzc2NzM5MjIwNDg0OTE2MC4y.mRZ-G3c4yOegegLXpFGfkd-V_39pz4ypF6FODe1ExzE';

  expect(tokenOf(reportLink(base, report, account, 5000))).toBe(known);
});

test.each([
  ['malformed', 'x'],
  ['of another purpose', makeLinkToken('chart-link', account, { subject: '1.0', expires: 5000 })],
  ['of an unknown user', tokenOf(reportLink(base, report, { ...account, id: 8 }, 5000))],
])('a token that is %s names no report', async (_, token) => {
  expect(await verifyReportToken(token, readAccount, 4999)).toBeNull();
});

test('a token without a number of ended links names none, so it equals no number', async () => {
  const token = makeLinkToken('report-link', account, { subject: '5', expires: 5000 });

  expect(await verifyReportToken(token, readAccount, 4999)).toEqual({
    user: { id: 7 },
    project_id: 5,
    ended: Number.NaN,
  });
});
