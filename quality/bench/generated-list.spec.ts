import Papa from 'papaparse';
import { generatedCsv, generatedItems } from './generated-list';

describe('a generated list', () => {
  const list = { items: 5_000, seed: 3, locales: ['de', 'pl'] };

  it('is the same for the same seed, another for another, and has each value once', () => {
    const items = [...generatedItems(list)];
    expect([...generatedItems(list)]).toEqual(items);
    expect([...generatedItems({ ...list, seed: 4 })]).not.toEqual(items);
    expect(new Set(items.map(({ value }) => value)).size).toBe(5_000);
  });

  it('is the same as CSV', () => {
    const parsed = Papa.parse<Record<string, string>>([...generatedCsv(list)].join(''), { header: true });
    expect(parsed.data.filter((row) => row['value'] !== '')).toEqual(
      [...generatedItems(list)].map(({ value, labels }) => ({
        value,
        default: labels['default'],
        de: labels['de'] ?? '',
        pl: labels['pl'] ?? '',
      })),
    );
  });
});
