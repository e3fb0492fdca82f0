import { areDays, barsOf, edgesOf, niceMaximum } from '../src/plot-scale';

it.each([
  [0, 2],
  [2, 2],
  [3, 4],
  [9, 10],
  [11, 20],
  [430, 600],
  [1_000, 1_000],
])('the scale of a plot up to %i ends at %i', (highest, most) => {
  expect(niceMaximum(highest)).toBe(most);
});

it('a plot has an edge more than buckets', () => {
  const [ten, fiveLater] = ['2026-11-23T10:00:00.000Z', '2026-11-23T10:05:00.000Z'];
  expect(edgesOf([ten, fiveLater])).toEqual([ten, fiveLater, '2026-11-23T10:10:00.000Z']);
  expect(edgesOf([])).toEqual([]);
  expect([[ten, fiveLater], [ten], ['2026-11-23', '2026-11-24']].map(areDays)).toEqual([false, false, true]);
});

describe('the bars of a plot', () => {
  const parts = [
    { name: 'a', values: [5, 0] },
    { name: 'b', values: [null, 10] },
    { name: 'c', values: [5, 10] },
  ];
  const stacked = ['M0.2 0V5H0.8V0Z', 'M1.2 0V10H1.8V0Z', 'M0.2 5V10H0.8V5ZM1.2 10V20H1.8V10Z'];

  it('stand on each other', () => {
    expect(barsOf(parts)).toEqual({ paths: stacked, most: 20 });
  });

  it('stand before the one that is all of them', () => {
    const whole = { name: 'all', values: [10, 30], isBehind: true };
    const { paths, most } = barsOf([whole, ...parts]);
    expect([paths, most]).toEqual([['M0.1 0V10H0.9V0ZM1.1 0V30H1.9V0Z', ...stacked], 40]);
  });
});
