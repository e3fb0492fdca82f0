import { limitRow, ratioRow, withSection } from './report';

describe('a finding', () => {
  it.each([
    [ratioRow('a ÷ b', [5, 6, 7], [10, 10, 10], 0.5), ['a ÷ b', '0.60', '≥ 0.5', 'met']],
    [ratioRow('a ÷ b', [5, 6, 7], [10, 10, 10], 0.7), ['a ÷ b', '0.60', '≥ 0.7', '**missed**']],
    [ratioRow('a ÷ b', [5], [10]), ['a ÷ b', '0.50', '', '']],
    [limitRow('p50', 14.66, ' ms', { below: 30 }), ['p50', '14.7 ms', '< 30 ms', 'met']],
    [limitRow('p50', 30, ' ms', { below: 30 }), ['p50', '30.0 ms', '< 30 ms', '**missed**']],
    [limitRow('rate', 7_999, '/s', { atLeast: 8_000 }), ['rate', '7,999/s', '≥ 8,000/s', '**missed**']],
  ])('has its target and whether it was met: %j', (found, expected) => expect(found).toEqual(expected));
});

describe('docs/benchmarks.md', () => {
  const section = '## Draining\n\nRows.';

  it('gets a new section at its end', () =>
    expect(withSection('# Benchmarks\n\nWords.\n', section)).toBe(
      '# Benchmarks\n\nWords.\n\n## Draining\n\nRows.\n',
    ));

  it('keeps the other sections and the text below the numbers when one is measured again', () => {
    const page =
      '# Benchmarks\n\n## Draining\n\nold\n\n### Where the time goes\n\nIn parsing.\n\n## Creating\n\n1\n';
    const after = withSection(page, section);
    expect(after).toBe(page.replace('old', 'Rows.'));
    expect(withSection(after, section)).toBe(after);
  });
});
