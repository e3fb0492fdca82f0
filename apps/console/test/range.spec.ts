import { rangeNames, rangeOf } from '../src/signed-in/range';

const now = Date.parse('2026-11-23T12:00:00Z');
const hour = 3_600_000;
const of = (text: string) => rangeOf(new URLSearchParams(text), now, 'Europe/Berlin');
const ago = (hours: number) => new Date(now - hours * hour).toISOString();
const lengths = { '1m': hour / 60, '5m': hour / 12, '1h': hour, '1d': 24 * hour };

describe('the range of the overview', () => {
  it('is that of the URL, else the last seven days', () => {
    expect(of('range=24h').name).toBe('24h');
    for (const text of ['', 'range=8d', 'range=toString', 'from=x&to=y', `from=${ago(1)}&to=${ago(2)}`]) {
      expect(of(text).name).toBe('7d');
    }
  });

  it.each(rangeNames)('%s has at most 720 buckets', (name) => {
    const { from, bucket } = of(`range=${name}`).query();
    expect((Date.now() - Date.parse(from)) / lengths[bucket]).toBeLessThanOrEqual(720);
  });

  it('has whole days with today', () => {
    jest.useFakeTimers({ now });
    expect(of('range=7d').query().from).toBe('2026-11-16T23:00:00.000Z');
    // The 30 days before the end of this one have 721 hours.
    jest.setSystemTime(Date.parse('2026-11-23T22:30:00Z'));
    expect(of('range=30d').query().from).toBe('2026-10-24T23:30:00.000Z');
    jest.useRealTimers();
  });

  it.each([
    [2, 1, '1m'],
    [30, 6, '5m'],
    // Minutes are kept for three days.
    [80, 79, '1h'],
    [600, 0, '1d'],
  ])('that was chosen in a plot, from %i to %i hours ago, has buckets of %s', (from, to, bucket) => {
    const { name, query } = of(`from=${ago(from)}&to=${ago(to)}`);
    expect(name).toBeNull();
    expect(query()).toEqual({ from: ago(from), to: ago(to), bucket });
  });
});
