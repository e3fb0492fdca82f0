import { longestRun } from '../src/signed-in/longest-run';

const page = (...items: string[]) => ({ items, totalRecords: 1_000_000 });

it('shows the longest run of pages, at its place in the list', () => {
  expect(longestRun([page('a'), undefined, page('c'), page('d')], 4_997)).toEqual({
    rows: ['c', 'd'],
    start: 999_800,
    total: 1_000_000,
  });
  expect(longestRun([page('a'), page('b'), undefined, page('d')], 0)).toMatchObject({
    rows: ['a', 'b'],
    start: 0,
  });
});

it('has none while no page is loaded', () => {
  expect(longestRun([undefined, undefined], 0)).toBeNull();
});
