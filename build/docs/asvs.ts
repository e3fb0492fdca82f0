import { existsSync } from 'node:fs';
import path from 'node:path';

/** One requirement of OWASP ASVS in `quality/records/asvs.md`. */
export interface Requirement {
  number: string;
  level: number;
  result: 'met' | 'not met' | 'does not apply';
  /** The file that shows that it is met. */
  file: string | undefined;
}

const chapterForm = /^## V(\d+) /;
/** Numbers, those of level 1 bold; then a file in backticks, or the result with the words and a reason. */
const rowForm =
  /^- ((?:(?:, )?(?:\d+\.\d+\.\d+|\*\*\d+\.\d+\.\d+\*\*))+) (?:`([^`]+)`|(not met)(?=: [^.`]+\. \S)|(does not apply)(?=: \S+ \S))(?:: .*\.)?$/;

/** Returns the rows of a page with their requirements, in its order, and what cannot be read as one. */
export function requirementsOf(markdown: string): { rows: Requirement[][]; faults: string[] } {
  const rows: Requirement[][] = [];
  const faults: string[] = [];
  let chapter = '';
  markdown.split('\n').forEach((text, index) => {
    chapter = chapterForm.exec(text)?.[1] ?? chapter;
    if (chapter === '' || !text.startsWith('- ')) return;
    const [, numbers, file, notMet, unfit] = rowForm.exec(text) ?? [];
    if (numbers === undefined) return void faults.push(`line ${index + 1} is not a requirement`);
    const result = notMet ? 'not met' : unfit ? 'does not apply' : 'met';
    const row = numbers.split(', ').map((marked): Requirement => {
      const number = marked.replaceAll('*', '');
      if (!number.startsWith(`${chapter}.`)) faults.push(`${number} is in chapter V${chapter}`);
      return { number, level: marked.startsWith('*') ? 1 : 2, file, result };
    });
    rows.push(row);
  });
  return { rows, faults };
}

/**
 * Returns what is wrong with a page, one sentence each: rows that cannot be read, files that do not exist, numbers
 * that do not ascend within a row or from row to row, or that are there twice.
 *
 * @param root the folder of the repository
 */
export function asvsFaults(root: string, markdown: string): string[] {
  const { rows, faults } = requirementsOf(markdown);
  for (const list of [rows.map(([first]) => first!), ...rows])
    list.forEach(({ number }, at) => {
      const before = list[at - 1]?.number;
      if (before !== undefined && !isAfter(number, before)) faults.push(`${number} is not after ${before}`);
    });
  const known = new Set<string>();
  for (const { number, file } of rows.flat()) {
    if (known.has(number)) faults.push(`${number} is there twice`);
    known.add(number);
    if (file !== undefined && !existsSync(path.join(root, file)))
      faults.push(`${number}: there is no ${file}`);
  }
  return faults;
}

function isAfter(number: string, other: string): boolean {
  const [parts, others] = [number.split('.').map(Number), other.split('.').map(Number)];
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at >= 0 && parts[at]! > others[at]!;
}
