import { areaOf, edgesOf, lineOf, niceMaximum } from '../src/plot-scale';

describe('the scale of a plot', () => {
  it.each([
    [[], 2],
    [[0, null], 2],
    [[1, 2], 2],
    [[3], 4],
    [[7, 9], 10],
    [[11], 20],
    [[430], 600],
    [[1_000], 1_000],
  ])('for %j ends at %i', (values, most) => {
    expect(niceMaximum(values)).toBe(most);
  });

  it('has an edge more than buckets', () => {
    expect(edgesOf(['2026-11-23T10:00:00.000Z', '2026-11-23T10:05:00.000Z'])).toEqual([
      '2026-11-23T10:00:00.000Z',
      '2026-11-23T10:05:00.000Z',
      '2026-11-23T10:10:00.000Z',
    ]);
    expect(edgesOf([])).toEqual([]);
  });
});

describe('the line of a plot', () => {
  it('is a step for each bucket', () => {
    expect(lineOf([0, 5, 10], 10)).toBe('M0 100.00H1V50.00H2V0.00H3');
    expect(areaOf([5], 10)).toBe('M0 100V50.00H1V100Z');
  });

  it('has a gap where there is no value', () => {
    expect(lineOf([10, null, 10], 10)).toBe('M0 0.00H1M2 0.00H3');
  });
});
