import { plotOf } from './plot';

const panel = (points: { rows: number; ms: number | null }[]) => ({
  title: 'submissions',
  lines: [{ name: 'filter answers.score>:9', points }],
});

it('draws a line through the sizes that have a value, with its name', () => {
  const svg = plotOf([panel([10_000, 1_000_000].map((rows) => ({ rows, ms: 1 })))], 50);
  const [, path] = /<path class="line"[^>]* d="([^"]*)"><title>filter answers.score&gt;:9</.exec(svg)!;
  const [from, to] = [...path!.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  expect(from![0]).toBeLessThan(to![0]!);
  expect(from![1]).toBe(to![1]);
  expect(svg).toContain('prefers-color-scheme: dark');
});

it('marks what ends above the limit, and leaves out what has no value', () => {
  const svg = plotOf(
    [
      panel([
        { rows: 10_000, ms: 3 },
        { rows: 1_000_000, ms: 400 },
        { rows: 10_000_000, ms: null },
      ]),
      panel([{ rows: 10_000, ms: null }]),
    ],
    50,
  );
  expect(svg.match(/<path /g)).toHaveLength(1);
  expect(svg).toMatch(/<path class="slow"[^>]* d="M\S+ \S+ L\S+ \S+"/);
});
