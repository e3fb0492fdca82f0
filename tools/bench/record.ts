import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { checkoutDir } from '../infra';
import type { Conditions } from './machine';
import { markdownTable, type Report } from './report';
import type { Scenario } from './scenario';

const page = path.join(checkoutDir, 'docs', 'benchmarks.md');

const introduction = `# Benchmarks

Every number here was written by a command that anyone can run; each stands beside its raw limit, measured in the same run.

\`\`\`
npm run bench -- <scenario …|all> [--seconds N] [--record] [--profile]
\`\`\`

A run starts a private stack on loopback, with a Postgres that waits for the disk. The contestants take turns in rounds; a ratio is the median over the rounds of
the ratio within the round, so that what else the machine does meets both sides. Rates depend on the machine, ratios much less. CPU is user and system time of the process, and
of all its children for the servers; load generators and receivers are processes of their own and share the machine with what they measure.
`;

/** One scenario's part of the page. */
export function sectionOf(
  scenario: Pick<Scenario, 'title' | 'about'>,
  report: Report,
  conditions: Conditions & { date: string; command: string },
): string {
  return [
    `## ${scenario.title}`,
    scenario.about,
    markdownTable(report.ratios),
    markdownTable(report.results),
    `<details><summary>CPU and memory by process</summary>\n\n${markdownTable(report.processes)}\n\n</details>`,
    ...report.notes,
    `${conditions.date}, \`${conditions.command}\`. ${conditions.machine}. ${conditions.versions}.`,
  ].join('\n\n');
}

/** Puts a section in the place of the one with its heading, or at the end. */
export function withSection(text: string, section: string): string {
  const heading = section.slice(0, section.indexOf('\n'));
  const parts = text.split(/^(?=## )/m);
  const at = parts.findIndex((part) => part.startsWith(`${heading}\n`));
  // What somebody wrote below the numbers of the old section stays: it begins with a heading of the third level.
  const kept = at < 0 ? '' : (/^### [\s\S]*/m.exec(parts[at]!)?.[0] ?? '').trim();
  const whole = `${[section.trim(), kept].filter(Boolean).join('\n\n')}\n\n`;
  if (at < 0) parts.push(`\n${whole}`);
  else parts[at] = whole;
  return `${parts.join('').trimEnd()}\n`;
}

/** Writes the scenario's section into docs/benchmarks.md, formatted as the project is. */
export async function record(section: string): Promise<void> {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : introduction;
  const options = await resolveConfig(page);
  writeFileSync(page, await format(withSection(text, section), { ...options, filepath: page }));
}
