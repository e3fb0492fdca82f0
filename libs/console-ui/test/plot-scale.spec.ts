import { barsOf, edgesOf, lineOf, niceMaximum, sumsOf } from '../src/plot-scale';

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
  });

  it('has a gap where there is no value', () => {
    expect(lineOf([10, null, 10], 10)).toBe('M0 0.00H1M2 0.00H3');
  });
});

describe('the bars of a plot', () => {
  const parts = [
    [5, 0],
    [null, 10],
    [5, 10],
  ];

  it('stand on each other', () => {
    expect(sumsOf(parts)).toEqual([10, 20]);
    expect(barsOf(parts, false, 20)).toEqual([
      'M0.2 100.00V75.00H0.8V100.00Z',
      'M1.2 100.00V50.00H1.8V100.00Z',
      'M0.2 75.00V50.00H0.8V75.00ZM1.2 50.00V0.00H1.8V50.00Z',
    ]);
  });

  it('stand before the first one, which is all of them', () => {
    expect(barsOf([[10], [5], [5]], true, 10)).toEqual([
      'M0.1 100.00V0.00H0.9V100.00Z',
      'M0.2 100.00V50.00H0.8V100.00Z',
      'M0.2 50.00V0.00H0.8V50.00Z',
    ]);
  });
});
