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
/** A file in backticks, or the result with the words of the requirement and a reason. */
const rowForm =
  /^- (\d+\.\d+\.\d+) \(([12])\) (?:`([^`]+)`|(not met)(?=: [^.`]+\. \S)|(does not apply)(?=: \S+ \S))(?:: .*\.)?$/;

/** Returns the requirements of a page, in its order, and what cannot be read as one. */
export function requirementsOf(markdown: string): { requirements: Requirement[]; faults: string[] } {
  const requirements: Requirement[] = [];
  const faults: string[] = [];
  let chapter = '';
  markdown.split('\n').forEach((text, index) => {
    chapter = chapterForm.exec(text)?.[1] ?? chapter;
    if (chapter === '' || !text.startsWith('- ')) return;
    const [, number, level, file, notMet, unfit] = rowForm.exec(text) ?? [];
    if (number === undefined) return void faults.push(`line ${index + 1} is not a requirement`);
    if (!number.startsWith(`${chapter}.`)) faults.push(`${number} is in chapter V${chapter}`);
    requirements.push({
      number,
      level: Number(level),
      file,
      result: notMet ? 'not met' : unfit ? 'does not apply' : 'met',
    });
  });
  return { requirements, faults };
}

/**
 * Returns what is wrong with a page, one sentence each: rows that cannot be read, files that do not exist, numbers
 * that do not ascend.
 *
 * @param root the folder of the repository
 */
export function asvsFaults(root: string, markdown: string): string[] {
  const { requirements, faults } = requirementsOf(markdown);
  requirements.forEach(({ number, file }, at) => {
    const before = requirements[at - 1]?.number;
    if (before !== undefined && !isAfter(number, before)) faults.push(`${number} is not after ${before}`);
    if (file !== undefined && !existsSync(path.join(root, file)))
      faults.push(`${number}: there is no ${file}`);
  });
  return faults;
}

function isAfter(number: string, other: string): boolean {
  const [parts, others] = [number.split('.').map(Number), other.split('.').map(Number)];
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at >= 0 && parts[at]! > others[at]!;
}
