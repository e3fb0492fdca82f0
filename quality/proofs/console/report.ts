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

const shownFiles = 5;
const begin = '<!-- figures -->';
const page = path.join(checkoutDir, 'docs/console/performance.md');

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
  const text = readFileSync(page, 'utf8');
  const parts = sections.map(partOf);
  const all = sections.flatMap(({ figures }) => figures);
  const count = `${all.filter(isMet).length} of ${all.length} targets are met.${failed.length > 0 ? ` Not measured: ${failed.join(', ')}.` : ''}`;
  const made = `${madeBy(command)} ${machine()}.`;
  const kept = text.slice(0, text.indexOf(begin) + begin.length);
  const files = [
    '## Files',
    'The build fails if a page is larger than `apps/console/budget.json` permits.',
    filesOfBuild(),
  ];
  const next = [kept, `${made} ${count}`, ...parts, ...files].join('\n\n');
  await writePage(next);
}

/**
 * Replaces one section of the page, which a whole run has written.
 *
 * @param command that made its figures
 * @throws {Error} if the page does not have the section
 */
export async function updateSection(section: Section, command: string): Promise<void> {
  const text = readFileSync(page, 'utf8');
  const start = text.indexOf(`## ${section.title}\n`);
  const end = text.indexOf('\n## ', start);
  if (start < 0 || end < 0)
    throw new Error(`The page has no section "${section.title}": run the whole proof.`);
  const part = partOf({ ...section, about: `${section.about} ${madeBy(command)}` });
  const next = `${text.slice(0, start)}${part}\n${text.slice(end)}`;
  await writePage(next);
}

/** Sections with more figures than this show those that are nearest to their targets. */
const mostFigures = 12;
const nearest = 5;

/** The share of its target that a figure takes: above 1 it is missed. */
const shareOf = ({ values, target, isRate }: Figure): number =>
  isRate ? target / median(values) : median(values) / target;

function partOf(section: Section): string {
  const { title, about, figures } = section;
  const table = (shown: Figure[]) =>
    markdownTable([['', 'Target', 'Median', 'Worst', ''], ...rowsOf({ ...section, figures: shown })]);
  if (figures.length <= mostFigures) return [`## ${title}`, about, table(figures)].join('\n\n');
  const shown = [...figures].sort((a, b) => shareOf(b) - shareOf(a)).slice(0, nearest);
  const note = `The ${nearest} of ${figures.length} figures that are nearest to their targets.`;
  return [`## ${title}`, `${about} ${note}`, table(shown)].join('\n\n');
}

const madeBy = (command: string) => `${new Date().toISOString().slice(0, 10)}, \`${command}\`.`;

async function writePage(text: string): Promise<void> {
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}

function machine(): string {
  const cpus = os.cpus();
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  const name = cpus[0]?.model.trim() ?? 'unknown';
  return `${name}, ${cpus.length} cores, ${memory} GB memory, Node ${process.versions.node}`;
}
