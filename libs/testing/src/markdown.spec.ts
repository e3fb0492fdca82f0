import { markdownTable } from './markdown';

it('writes a table with its numbers on the right', () => {
  const table = [
    ['name', 'rate', 'memory'],
    ['a', '1,000', '12 MB'],
    ['b|c', 7, ''],
  ];
  expect(markdownTable(table)).toBe(
    '| name | rate | memory |\n| --- | --: | --: |\n| a | 1,000 | 12 MB |\n| b\\|c | 7 |  |',
  );
});
