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

it('takes turns, and takes a ratio within each round', async () => {
  const order: string[] = [];
  const variants = [variant('ours', [100, 10, 102], order), variant('raw', [200, 20, 204], order)];
  const limits = { 'ours, p50': { below: 3 } };
  const report = await compare(3, { variants, ratios: [['ours', 'raw', 0.5]], limits });
  expect(order).toEqual(['ours warms up', 'raw warms up', 'ours', 'raw', 'raw', 'ours', 'ours', 'raw']);
  expect(report).toMatchObject({ broken: false, notes: [] });
  expect(report.figures.slice(0, 3)).toEqual([
    { what: 'ours', value: 100, unit: '/s' },
    { what: 'ours, p50', value: 2, unit: ' ms', below: 3 },
    { what: 'ours, p99', value: 3, unit: ' ms' },
  ]);
  expect(report.figures.at(-1)).toEqual({ what: 'ours ÷ raw', value: 0.5, unit: '', atLeast: 0.5 });
});

it('warms a variant up for as long as it asks, but not longer than it is measured', async () => {
  const warmUps: number[] = [];
  const asking = (warmUpSeconds: number): Variant => {
    const plain = variant('ours', [1, 1, 1], []);
    const run = (seconds: number, warmUp: boolean) => {
      if (warmUp) warmUps.push(seconds);
      return plain.run(seconds, warmUp);
    };
    return { ...plain, warmUpSeconds, run };
  };
  await compare(3, { variants: [asking(2)] });
  await compare(3, { variants: [asking(30)] });
  expect(warmUps).toEqual([2, 3]);
});

it('is broken when an operation failed', async () => {
  const report = await compare(3, { variants: [variant('ours', [1, 1, 1], [], 2)] });
  expect(report.broken).toBe(true);
  expect(report.notes).toEqual(['6 operations of "ours" failed.']);
});
