import { compare, type Variant } from './compare';

const variant = (name: string, rates: number[], order: string[], errors = 0): Variant => ({
  name,
  async run(seconds, warmUp) {
    order.push(warmUp ? `${name} warms up` : name);
    const operations = warmUp ? 1 : rates.shift()! * seconds;
    return { operations, seconds, errors: warmUp ? 0 : errors, latenciesMs: Float64Array.of(1, 2, 3) };
  },
});

beforeEach(() => jest.spyOn(console, 'log').mockReturnValue());
afterEach(() => jest.restoreAllMocks());

it('takes turns in rounds', async () => {
  const order: string[] = [];
  const variants = [variant('ours', [100, 10, 102], order), variant('other', [200, 20, 204], order)];
  const report = await compare(3, { variants });
  expect(order.slice(2)).toEqual(['ours', 'other', 'other', 'ours', 'ours', 'other']);
  expect(report).toMatchObject({ broken: false, notes: [] });
  expect(report.figures.slice(0, 3)).toEqual([
    { what: 'ours', value: 100, unit: '/s' },
    { what: 'ours, p50', value: 2, unit: ' ms' },
    { what: 'ours, p99', value: 3, unit: ' ms' },
  ]);
});

it('is broken when an operation failed', async () => {
  const report = await compare(3, { variants: [variant('ours', [1, 1, 1], [], 2)] });
  expect(report.broken).toBe(true);
  expect(report.notes).toEqual(['6 operations of "ours" failed.']);
});
