/** The teams of a match of a list, by their ids. */
import { expect, test } from 'vitest';
import { isMatch, readMatch } from '../../../../lib/serp/google/sports.ts';
import { buildTree } from '../../../../lib/serp/tree.ts';

const teamsOf = (markup: string) => {
  const { elements } = buildTree(`<div data-df-match-mid="/g/1">${markup}</div>`);
  return elements
    .filter(isMatch)
    .flatMap(readMatch)
    .flatMap(({ teams }) => teams);
};

const cup = [
  { name: 'Harbor United', score: '2' },
  { name: 'Mill Rovers', score: '1' },
];

const row = (id: string, name: string, score: string) =>
  `<p><i data-df-team-mid="${id}"></i><b data-df-team-mid="${id}">${name}</b><u>${score}</u></p>`;
const plainRow = (name: string, score: string) => `<p><b data-df-team-mid="">${name}</b><u>${score}</u></p>`;

test('the sign and the name of a team may have the same id', () => {
  expect(teamsOf(row('/m/1', 'Harbor United', '2') + row('/m/2', 'Mill Rovers', '1'))).toEqual(cup);
});

test('teams with empty ids are told apart', () => {
  expect(teamsOf(plainRow('Harbor United', '2') + plainRow('Mill Rovers', '1'))).toEqual(cup);
});
