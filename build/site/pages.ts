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

/**
 * All pages of the site but the home page, by reader. Files are relative to the repository. The home page lists
 * the first four chapters, too.
 */
export const chaptersOf = (root: string): Chapter[] => [
  {
    title: 'Use',
    files: [
      'docs/quick-start.md',
      'README.md',
      'docs/console.md',
      'docs/console/README.md',
      'docs/differences.md',
      'docs/glossary.md',
      'CHANGELOG.md',
    ],
  },
  {
    title: 'Operate',
    files: [
      'docs/install.md',
      'docs/production.md',
      'k8s/README.md',
      'docs/two-hosts.md',
      'docs/managed-postgres.md',
      'docs/operate/start.md',
      'docs/configuration.md',
      'docs/configuration-examples.md',
      'docs/operate/health.md',
      'docs/monitoring.md',
      'docs/operate/alerts.md',
      'docs/operate/incidents.md',
      'docs/operate/broker.md',
      'docs/operate/commands.md',
      'docs/operate/limits.md',
      'docs/sizing.md',
      'docs/upgrade.md',
      'docs/backup.md',
      'docs/restore.md',
      'docs/restore-one-schema.md',
      'docs/operate/secrets.md',
      'docs/operate/audit.md',
      'docs/moving-a-tenant.md',
      'docs/backfill.md',
      'docs/privacy.md',
      'docs/security.md',
      'SECURITY.md',
    ],
  },
  {
    title: 'Integrate',
    files: [
      'docs/api-clients.md',
      'docs/events.md',
      'docs/form-runtime.md',
      'docs/identity-providers.md',
      'docs/permissions.md',
      'docs/extending.md',
      'extensions/README.md',
      'libs/client/README.md',
      'examples/README.md',
    ],
  },
  {
    title: 'Contribute',
    files: [
      'CONTRIBUTING.md',
      'CODE_OF_CONDUCT.md',
      'docs/architecture.md',
      'docs/add-an-endpoint.md',
      'quality/README.md',
      'quality/chaos/README.md',
      'quality/records/benchmarks.md',
      'quality/records/asvs.md',
      'docs/releasing.md',
    ],
  },
  {
    title: 'Apps and libraries',
    files: [
      ...['apps', 'libs']
        .flatMap((folder) =>
          readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}/README.md`),
        )
        .filter((file) => file !== 'libs/client/README.md' && existsSync(path.join(root, file))),
      'apps/datalists-svc/src/search/README.md',
    ],
    collapsed: true,
  },
  {
    title: 'Coverage of the specification',
    files: [`${coverage}/README.md`, ...filesOf(root, coverage, /^[a-z].*\.md$/)],
    collapsed: true,
  },
  {
    title: 'Decisions',
    files: ['docs/adr/README.md', 'docs/adr/template.md', ...filesOf(root, 'docs/adr', /^\d.*\.md$/)],
    collapsed: true,
  },
];

/** The home page. */
export const homeFile = 'docs/index.md';

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
