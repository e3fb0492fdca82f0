import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One rule of a list in `quality/records/spec-coverage`: a rule of the specification and what proves it. */
export interface CoverageRow {
  /** The page and line of the row, `quality/records/spec-coverage/health.md:12`. */
  at: string;
  rule: string;
  /** The lines below it: a file and the title of a test, or the reason why no test can prove the rule. */
  proofs: string[];
}

const folder = 'quality/records/spec-coverage';
const proofForm = /^(`+)(.+?)\1 › (`+) ?(.+?) ?\3$/;

/** All rows of all pages of `quality/records/spec-coverage` (format: its README.md). */
export function coverageRows(root: string): CoverageRow[] {
  const pages = readdirSync(path.join(root, folder)).filter((name) => /^[^R].*\.md$/.test(name));
  return pages
    .sort()
    .flatMap((page) => rowsOf(`${folder}/${page}`, readFileSync(path.join(root, folder, page), 'utf8')));
}

/** The rows of one page: each `- rule` with the `  - proof` lines below it. */
export function rowsOf(page: string, markdown: string): CoverageRow[] {
  const rows: CoverageRow[] = [];
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, indent, text] = /^( {2})?- (.+)$/.exec(line) ?? [];
    if (text === undefined) continue;
    if (indent === undefined) rows.push({ at: `${page}:${index + 1}`, rule: text, proofs: [] });
    else rows.at(-1)?.proofs.push(text);
  }
  return rows;
}

/** The faults of the rows, one sentence each: unreadable rows, files that are not there, titles no test has. */
export const coverageFaults = (root: string, rows: readonly CoverageRow[]): string[] =>
  rows.flatMap(({ at, proofs }) => {
    if (proofs.length === 0) return [`${at}: a rule needs a proof or a reason`];
    return proofs.flatMap((proof) => {
      if (proof.startsWith('No test: ')) return [];
      const [, , name = '', , title = ''] = proofForm.exec(proof) ?? [];
      if (!name.endsWith('.spec.ts')) return [`${at}: cannot read the proof ${proof}`];
      const file = path.join(root, name);
      if (!existsSync(file)) return [`${at}: there is no file ${name}`];
      const source = readFileSync(file, 'utf8').replaceAll(/\\(['"`\\])/g, '$1');
      return source.includes(title) ? [] : [`${at}: ${name} has no test "${title}"`];
    });
  });
