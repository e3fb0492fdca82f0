import { median, pairedRatio, percentile } from './statistics';

it.each([
  [0.05, 15],
  [0.3, 20],
  [0.4, 20],
  [0.5, 35],
  [1, 50],
])('a percentile is a value of the sample, by nearest rank: %d', (share, value) => {
  expect(percentile([50, 20, 15, 40, 35], share)).toBe(value);
});

it('values are sorted by size, and an empty sample has no percentile', () => {
  expect(percentile([100, 9, 80], 0.5)).toBe(80);
  expect(percentile([], 0.5)).toBeNaN();
  expect(median([])).toBeNaN();
});

it('the median of an even number lies between the two middle values', () => {
  expect(median([4, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

it.each([
  ['within each round, so that a slow minute counts for neither', [100, 10, 102], [200, 20, 204]],
  ['not moved by one disturbed round', [50, 50, 1, 50, 50], [100, 100, 100, 100, 100]],
  ['over the rounds that both finished', [1, 1], [2, 2, 100]],
])('the ratio of two variants is taken %s', (_, ours, raw) =>
  expect(pairedRatio(ours, raw)).toBeCloseTo(0.5),
);
