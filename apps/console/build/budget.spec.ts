import {
  furtherOverBudget,
  furtherPages,
  manifestIn,
  overBudget,
  sizeOf,
  type Limit,
  type Manifest,
} from './budget';

const manifest: Manifest = {
  'index.html': { file: 'assets/index-1.js', css: ['assets/index-1.css'], imports: ['_shared.js'] },
  '_shared.js': { file: 'assets/shared-1.js', imports: ['index.html'] },
  'src/signed-in.tsx': { file: 'assets/signed-in-1.js', imports: ['_shared.js'] },
};
const gzipped = new Map([
  ['index.html', 1],
  ['assets/index-1.js', 1000],
  ['assets/index-1.css', 20],
  ['assets/shared-1.js', 300],
  ['assets/signed-in-1.js', 4000],
]);
const limit = (gzipKB: number, ...entries: string[]): Limit => ({ page: 'start', entries, gzipKB });

it('counts a page with all that it imports, each file once', () => {
  expect(sizeOf(limit(1, 'index.html'), manifest, gzipped)).toBe(1321);
  expect(sizeOf(limit(1, 'index.html', 'src/signed-in.tsx'), manifest, gzipped)).toBe(5321);
});

it('counts a page of another build by its names there', () => {
  const moved = new Map([...gzipped].map(([name, bytes]) => [`preview/${name}`, bytes]));
  expect(sizeOf(limit(1, 'preview/index.html'), manifestIn('preview/', manifest), moved)).toBe(1321);
});

it('names the pages that are too large', () => {
  expect(overBudget([limit(2, 'index.html')], manifest, gzipped)).toEqual([]);
  expect(overBudget([limit(1, 'index.html')], manifest, gzipped)).toEqual([
    'The page "start" loads 1321 bytes (gzip); 1 KB are permitted.',
  ]);
});

it('fails for an entry that the build does not have, because its bytes would not count', () => {
  expect(() => sizeOf(limit(1, 'src/renamed.tsx'), manifest, gzipped)).toThrow('src/renamed.tsx');
});

it('names a page that adds too much to the first one, without what both load', () => {
  const pages: Manifest = {
    ...manifest,
    'src/pages/users.tsx': { file: 'assets/users-1.js', imports: ['_shared.js'], isDynamicEntry: true },
    'src/pages/audit.tsx': { file: 'assets/audit-1.js', isDynamicEntry: true },
  };
  const sizes = new Map([...gzipped, ['assets/users-1.js', 2_000], ['assets/audit-1.js', 1_500]]);
  const further = {
    first: ['index.html'],
    folder: 'src/pages/',
    gzipKB: 1,
    others: { 'src/pages/audit.tsx': 2 },
  };
  const found = furtherPages(further, pages, sizes);
  expect(found).toEqual([
    ['src/pages/users.tsx', 2_000],
    ['src/pages/audit.tsx', 1_500],
  ]);
  expect(furtherOverBudget(further, found)).toEqual([
    'The page src/pages/users.tsx adds 2000 bytes (gzip) to the first one; 1 KB are permitted.',
  ]);
});
