import { existsSync } from 'node:fs';
import path from 'node:path';

type Result = 'met' | 'not met' | 'does not apply';

/** One requirement of OWASP ASVS in `docs/security.md`. */
export interface Requirement {
  line: number;
  number: string;
  level: number;
  text: string;
  result: Result;
  /** The file that shows it, in backticks, or the reason. */
  detail: string;
}

const chapterForm = /^### V(\d+) /;
const rowForm =
  /^\| (\d+\.\d+\.\d+) +\| ([12]) +\| (.*?) +\| (met|not met|does not apply)(?:: *| +)(.*?) *\|$/;
const evidenceForm = /^`([^`]+)`$/;
/** Every path in backticks that is a test. */
const testForm = /`([^`\s]+\.spec\.ts)`/g;
const mostWords = 10;

/** The rows of all chapters, and what cannot be read as one. */
function readPage(markdown: string): { requirements: Requirement[]; faults: string[] } {
  const requirements: Requirement[] = [];
  const faults: string[] = [];
  let chapter = '';
  markdown.split('\n').forEach((text, index) => {
    const line = index + 1;
    chapter = chapterForm.exec(text)?.[1] ?? chapter;
    if (chapter === '' || !text.startsWith('| ') || /^\| (No\.|-)/.test(text)) return;
    const [, number, level, words, result, detail] = rowForm.exec(text) ?? [];
    if (number === undefined) faults.push(`line ${line} is not a requirement`);
    else {
      if (!number.startsWith(`${chapter}.`)) faults.push(`line ${line} is in chapter V${chapter}`);
      requirements.push({
        line,
        number,
        level: Number(level),
        text: words!,
        result: result as Result,
        detail: detail!,
      });
    }
  });
  return { requirements, faults };
}

/** The requirements of a page, in its order. */
export const requirementsOf = (markdown: string): Requirement[] => readPage(markdown).requirements;

/**
 * What is wrong with a page, one sentence each: rows that cannot be read, files that do not exist, results
 * without a reason, numbers that do not ascend.
 *
 * @param root the folder of the repository
 */
export function asvsFaults(root: string, markdown: string): string[] {
  const { requirements, faults } = readPage(markdown);
  const missing = [...new Set([...markdown.matchAll(testForm)].map(([, file]) => file!))]
    .filter((file) => !existsSync(path.join(root, file)))
    .map((file) => `there is no test ${file}`);
  return [
    ...faults,
    ...missing,
    ...requirements.flatMap((row, at) => rowFaults(root, row, requirements[at - 1])),
  ];
}

function rowFaults(root: string, row: Requirement, before: Requirement | undefined): string[] {
  const { number, text, result, detail } = row;
  const faults: string[] = [];
  if (before && !isAfter(number, before.number)) faults.push(`${number} is not after ${before.number}`);
  if (text === '' || text.split(/\s+/).length > mostWords)
    faults.push(`${number} must have 1 to ${mostWords} words`);
  const file = evidenceForm.exec(detail)?.[1];
  if (result !== 'met') {
    if (file !== undefined || !/^\S.*\s.*\.$/.test(detail)) faults.push(`${number} needs a reason`);
  } else if (file === undefined) faults.push(`${number} needs a file`);
  else if (!existsSync(path.join(root, file))) faults.push(`${number}: there is no file ${file}`);
  return faults;
}

function isAfter(number: string, other: string): boolean {
  const [parts, others] = [number.split('.').map(Number), other.split('.').map(Number)];
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at >= 0 && parts[at]! > others[at]!;
}
