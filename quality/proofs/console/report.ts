import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkoutDir } from '@canvass/infra';
import { markdownTable, median } from '@canvass/testing';
import { format, resolveConfig } from 'prettier';

/** A figure of the console. */
export interface Figure {
  what: string;
  /** Values of the runs. */
  values: number[];
  unit: 'ms' | 's' | 'MB' | '%' | 'frames/s' | '';
  /** The worst value that is permitted. */
  target: number;
  /** Whether more is better, as with frames. */
  isRate?: true;
  /** The least value that the browser reports: smaller ones are 0. */
  least?: number;
}

export interface Section {
  title: string;
  about: string;
  figures: Figure[];
}

/** The worst of the values. */
const worstOf = ({ values, isRate }: Figure) => (isRate ? Math.min(...values) : Math.max(...values));

/** The median decides; the worst is shown beside it. */
export const isMet = (figure: Figure): boolean =>
  figure.values.length > 0 &&
  (figure.isRate ? median(figure.values) >= figure.target : median(figure.values) <= figure.target);

function shown(value: number, { unit, least = 0 }: Figure): string {
  if (value < least) return `< ${least} ${unit}`;
  const digits = unit === '' ? 3 : unit === 's' || unit === '%' ? 2 : value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`.trim();
}

/** The rows of a section: what, target, median, worst, and whether the median meets the target. */
export const rowsOf = ({ figures }: Section): string[][] =>
  figures.map((figure) => [
    figure.what,
    `${figure.isRate ? '≥' : '≤'} ${figure.target} ${figure.unit}`.trim(),
    shown(median(figure.values), figure),
    shown(worstOf(figure), figure),
    isMet(figure) ? 'met' : '**missed**',
  ]);

/** The largest files of the build: their bytes, and those that are sent. */
function filesOfBuild(): string {
  const dist = path.join(checkoutDir, 'dist/apps/console');
  const size = (name: string) => (statSync(path.join(dist, name)).size / 1024).toFixed(1);
  const rows = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => [name.replace(/-[\w-]{8}(?=\.)/, ''), size(name), size(`${name}.gz`), size(`${name}.br`)])
    .sort(([, , a], [, , b]) => Number(b) - Number(a));
  const shown = rows.slice(0, shownFiles);
  const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0).toFixed(1);
  return markdownTable([
    ['KB', 'plain', 'gzip', 'br'],
    ...shown,
    [`all ${rows.length} files`, sum(1), sum(2), sum(3)],
  ]);
}

const shownFiles = 20;
const begin = '<!-- figures -->';

/**
 * Writes `docs/console/performance.md`: the text above the mark stays.
 *
 * @param failed names of sections that could not be measured
 * @param command that made the figures
 */
export async function writeReport(
  sections: readonly Section[],
  failed: readonly string[],
  command: string,
): Promise<void> {
  const page = path.join(checkoutDir, 'docs/console/performance.md');
  const text = readFileSync(page, 'utf8');
  const head = ['', 'Target', 'Median', 'Worst', ''];
  const parts = sections.map((section) =>
    [`## ${section.title}`, section.about, markdownTable([head, ...rowsOf(section)])].join('\n\n'),
  );
  const all = sections.flatMap(({ figures }) => figures);
  const count = `${all.filter(isMet).length} of ${all.length} targets are met.${failed.length > 0 ? ` Not measured: ${failed.join(', ')}.` : ''}`;
  const made = `${new Date().toISOString().slice(0, 10)}, \`${command}\`. ${machine()}.`;
  const kept = text.slice(0, text.indexOf(begin) + begin.length);
  const files = [
    '## Files',
    'The build fails if a page is larger than `apps/console/budget.json` permits.',
    filesOfBuild(),
  ];
  const next = [kept, `${made} ${count}`, ...parts, ...files].join('\n\n');
  writeFileSync(page, await format(next, { ...(await resolveConfig(page)), filepath: page }));
}

function machine(): string {
  const cpus = os.cpus();
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  const name = cpus[0]?.model.trim() ?? 'unknown';
  return `${name}, ${cpus.length} cores, ${memory} GB memory, Node ${process.versions.node}`;
}
