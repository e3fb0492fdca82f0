import fc from 'fast-check';
import { median, pairedRatio, percentile } from './statistics';

describe('percentiles', () => {
  it('are values of the sample, by nearest rank', () => {
    const sample = [15, 20, 35, 40, 50];
    expect(percentile(sample, 0.05)).toBe(15);
    expect(percentile(sample, 0.3)).toBe(20);
    expect(percentile(sample, 0.4)).toBe(20);
    expect(percentile(sample, 0.5)).toBe(35);
    expect(percentile(sample, 1)).toBe(50);
  });

  it('sort by size, not by text', () => {
    expect(percentile([100, 9, 80], 0.5)).toBe(80);
  });

  it('leave at least their share of the sample at or below them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (sample, share) => {
          const value = percentile(sample, share);
          expect(sample).toContain(value);
          expect(sample.filter((each) => each <= value).length).toBeGreaterThanOrEqual(share * sample.length);
        },
      ),
    );
  });

  it('of nothing are not a number', () => {
    expect(percentile([], 0.5)).toBeNaN();
    expect(median([])).toBeNaN();
  });
});

describe('the median', () => {
  it('lies between the two middle values of an even number', () => {
    expect(median([4, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});

describe('the ratio of two contestants', () => {
  it('is taken within each round, so that a slow minute counts for neither', () => {
    const ours = [100, 10, 102, 98, 101];
    const raw = [200, 20, 204, 196, 202];
    expect(pairedRatio(ours, raw)).toBeCloseTo(0.5);
  });

  it('is not moved by one disturbed round', () => {
    expect(pairedRatio([50, 50, 1, 50, 50], [100, 100, 100, 100, 100])).toBe(0.5);
  });

  it('uses the rounds that both finished', () => {
    expect(pairedRatio([1, 1], [2, 2, 100])).toBe(0.5);
  });
});
