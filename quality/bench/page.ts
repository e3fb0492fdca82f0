import type { Conditions } from './machine';
import { markdownTable } from './report';
import type { Report } from './scenario';
import type { Scenario } from './scenario';

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
    ...(report.processes.length > 1
      ? [
          `<details><summary>CPU and memory by process</summary>\n\n${markdownTable(report.processes)}\n\n</details>`,
        ]
      : []),
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
