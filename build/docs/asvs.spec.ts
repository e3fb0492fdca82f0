import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'quality/records/asvs.md'), 'utf8');

test('every file that the record of ASVS names exists', () => {
  const files = [...page.matchAll(/^- [\d., *]+ `([^`]+)`/gm)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
