import { readFileSync } from 'node:fs';
import path from 'node:path';
import { siteLink } from './links';
import { chaptersOf, homeFile, pageFiles, pageOf, titleOf } from './pages';

const root = path.join(__dirname, '../..');

describe('the navigation', () => {
  const named = chaptersOf(root).flatMap(({ files }) => files);

  it('has each page once', () => {
    expect([...named, homeFile].sort()).toEqual(pageFiles(root).sort());
  });

  it('gives each page a place of its own, also where case does not count', () => {
    const places = [...named, homeFile].map((file) => pageOf(file).toLowerCase());
    expect(places.length).toBeGreaterThan(80);
    expect(new Set(places).size).toBe(places.length);
    expect(pageOf(homeFile)).toBe('index.md');
  });

  it('begins with the lists of the home page', () => {
    const [use] = chaptersOf(root);
    expect(use!.files.slice(0, 2)).toEqual(['docs/quick-start.md', 'README.md']);
  });

  it('names pages by their first heading', () => {
    expect(titleOf(root, 'docs/quick-start.md')).toBe('Quick start');
    expect(() => titleOf(root, homeFile)).toThrow('docs/index.md has no heading of the first level.');
  });
});

describe('a link', () => {
  it.each([
    ['docs/a.md', 'https://example.org/x', { kind: 'as it is' }],
    ['docs/a.md', '#settings', { kind: 'as it is' }],
    ['docs/quick-start.md', 'install.md', { kind: 'page', href: '/install.md' }],
    ['docs/quick-start.md', '../README.md#a-tour', { kind: 'page', href: '/project/readme.md#a-tour' }],
    ['README.md', 'docs/adr/README.md', { kind: 'page', href: '/adr/index.md' }],
    ['docs/quick-start.md', '../examples', { kind: 'folder' }],
    [
      'docs/quick-start.md',
      '../examples/form.html',
      { kind: 'copy', href: '/examples/form.html.txt', file: 'examples/form.html' },
    ],
    [
      'docs/console/README.md',
      'overview.webp',
      {
        kind: 'copy',
        href: '/docs/console/overview.webp',
        file: 'docs/console/overview.webp',
      },
    ],
  ])('of %s to %s leads to its place in the site', (file, href, expected) => {
    expect(siteLink(root, file, href)).toEqual(expected);
  });

  it('to a file that does not exist is an error', () => {
    expect(() => siteLink(root, 'docs/quick-start.md', 'installation.md')).toThrow(
      'docs/quick-start.md links to docs/installation.md, which does not exist.',
    );
  });
});

it('has the accent of the console', () => {
  const css = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const tokens = css('libs/console-ui/src/tokens.css');
  const accents = ['accent', 'accent-soft'].flatMap((name) => {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens)!;
    return [light!, dark!];
  });
  const used = [...css('build/site/.vitepress/theme/accent.css').matchAll(/#[0-9a-f]{6}/g)].map(
    ([color]) => color,
  );
  expect([...new Set(used)].sort()).toEqual(accents.sort());
});
