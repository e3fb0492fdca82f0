import { tableOf, withSection } from './report';

it('a figure is shown with what is wanted of it', () => {
  const table = tableOf([
    { what: 'p50', value: 14.66, unit: ' ms', below: 30 },
    { what: 'rate', value: 7_999, unit: '/s', atLeast: 8_000 },
    { what: 'a ÷ b', value: 0.5, unit: '' },
  ]);
  expect(table.split('\n').slice(2)).toEqual([
    '| p50 | 14.7 ms | < 30.0 ms | met |',
    '| rate | 7,999/s | ≥ 8,000/s | **missed** |',
    '| a ÷ b | 0.50 |  |  |',
  ]);
});

describe('the record', () => {
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
