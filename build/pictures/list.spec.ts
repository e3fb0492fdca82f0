import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { listOfPictures, replaceList } from './list';
import { fileOf, modes, pictures } from './pictures';

const folder = path.join(__dirname, '../../docs/console');
const files = pictures.flatMap((picture) => modes.map((mode) => fileOf(picture, mode)));

it('docs/console has the pictures of the list and no others, in less than 8 MB', () => {
  expect(new Set(files).size).toBe(files.length);
  const present = readdirSync(folder).filter((file) => file.endsWith('.webp'));
  expect(present.sort()).toEqual([...files].sort());
  const size = present.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0);
  expect(size).toBeLessThan(8_000_000);
});

it('the page of the pictures has the list as it is now, and the README shows pictures that exist', () => {
  const page = readFileSync(path.join(folder, 'README.md'), 'utf8');
  expect(page).toBe(replaceList(page, listOfPictures()));
  const readme = readFileSync(path.join(__dirname, '../../README.md'), 'utf8');
  const shown = [...readme.matchAll(/\((docs\/console\/[\w-]+\.webp)\)/g)].map(([, file]) => file!);
  expect(shown.length).toBeGreaterThan(1);
  for (const picture of shown) expect(existsSync(path.join(__dirname, '../..', picture))).toBe(true);
});

it('a page without marks is refused', () => {
  expect(() => replaceList('# Pictures', listOfPictures())).toThrow('<!-- pictures -->');
});
