import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A heading of the navigation with the files of its pages, in reading order. */
export interface Chapter {
  title: string;
  files: string[];
  /** Shown closed, because it is long. */
  collapsed?: true;
}

/** The files of a folder whose names match, by name. */
const filesOf = (root: string, folder: string, name: RegExp): string[] =>
  readdirSync(path.join(root, folder))
    .filter((file) => name.test(file))
    .sort()
    .map((file) => `${folder}/${file}`);

const coverage = 'quality/records/spec-coverage';

/** The home page. */
export const homeFile = 'docs/index.md';

/** The files that a section of the home page links to. */
function linkedBy(home: string, title: string): string[] {
  const list = home.split(`## ${title}\n`)[1]!.split('\n## ')[0]!;
  return [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => path.join('docs', link!));
}

/** All pages of the site but the home page, by reader. Files are relative to the repository. */
export function chaptersOf(root: string): Chapter[] {
  const home = readFileSync(path.join(root, homeFile), 'utf8');
  const readmes = ['apps', 'libs']
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}/README.md`))
    .filter((file) => file !== 'libs/client/README.md' && existsSync(path.join(root, file)));
  const closed: Record<string, string[]> = {
    'Apps and libraries': [...readmes, 'apps/datalists-svc/src/search/README.md'],
    'Coverage of the specification': filesOf(root, coverage, /^[a-z].*\.md$/),
    Decisions: ['docs/adr/template.md', ...filesOf(root, 'docs/adr', /^\d.*\.md$/)],
  };
  return [
    ...['Use', 'Operate', 'Integrate', 'Contribute'].map((title) => ({
      title,
      files: linkedBy(home, title),
    })),
    ...Object.entries(closed).map(([title, files]) => ({ title, files, collapsed: true as const })),
  ];
}

/**
 * The place where the page of a file is in the site: `docs/adr/README.md` → `adr/index.md`. The files at the
 * top of the repository have a folder of their own, because SECURITY.md and docs/security.md are two pages.
 */
export const pageOf = (file: string): string =>
  file.includes('/')
    ? file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
    : `project/${file.toLowerCase()}`;

/** The first heading of a file, without its marks of code. */
export function titleOf(root: string, file: string): string {
  const heading = /^# +(.+)$/m.exec(readFileSync(path.join(root, file), 'utf8'))?.[1];
  if (heading === undefined) throw new Error(`${file} has no heading of the first level.`);
  return heading.replaceAll('`', '');
}

/** The Markdown files that git knows or could know and that are pages: hidden folders are not. */
export const pageFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && !file.startsWith('.') && existsSync(path.join(root, file)));
