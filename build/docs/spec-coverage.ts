import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** One rule of a list in `quality/records/spec-coverage`: a rule of the specification and what proves it. */
export interface CoverageRow {
  /** The page and line of the row, `quality/records/spec-coverage/health.md:12`. */
  at: string;
  rule: string;
  proofs: { file: string; title: string }[];
  /**
   * The reason why no test can prove the sentence (it leaves something open, or speaks of people); null where
   * tests do.
   */
  noTest: string | null;
  /** The fault of the row's form; null when it can be read. */
  fault: string | null;
}

const folder = 'quality/records/spec-coverage';
const proofForm = /^(`+)(.+?)\1 › (`+) ?(.+?) ?\3$/;

/** All rows of all pages of `quality/records/spec-coverage` (format: its README.md). */
export function coverageRows(root: string): CoverageRow[] {
  const pages = readdirSync(path.join(root, folder)).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  return pages
    .sort()
    .flatMap((page) => rowsOf(`${folder}/${page}`, readFileSync(path.join(root, folder, page), 'utf8')));
}

/** The rows of one page: each `- rule` with the `  - proof` lines below it. */
export function rowsOf(page: string, markdown: string): CoverageRow[] {
  const rows: CoverageRow[] = [];
  markdown.split('\n').forEach((line, index) => {
    const rule = /^- (.+)$/.exec(line)?.[1];
    const proof = /^ {2}- (.+)$/.exec(line)?.[1];
    const at = `${page}:${index + 1}`;
    if (rule !== undefined) rows.push({ at, rule, proofs: [], noTest: null, fault: null });
    else if (proof !== undefined && rows.length > 0) addProof(rows.at(-1)!, proof);
  });
  for (const row of rows)
    if (row.proofs.length === 0 && row.noTest === null) row.fault ??= 'a rule needs a proof or a reason';
  return rows;
}

function addProof(row: CoverageRow, text: string): void {
  const noTest = /^No test: (.+)$/.exec(text);
  const match = proofForm.exec(text);
  if (noTest !== null) row.noTest = noTest[1]!;
  else if (match === null) row.fault = `cannot read the proof ${text}`;
  else row.proofs.push({ file: match[2]!, title: match[4]! });
}

/**
 * The faults of the rows, one sentence each: unreadable rows, files that are not there, titles no test has.
 */
export function coverageFaults(root: string, rows: readonly CoverageRow[]): string[] {
  const titles = new Map<string, Set<string> | null>();
  const titlesIn = (file: string) => {
    if (!titles.has(file)) titles.set(file, readTitles(path.join(root, file)));
    return titles.get(file)!;
  };
  return rows.flatMap(({ at, fault, proofs }) => {
    if (fault !== null) return [`${at}: ${fault}`];
    return proofs.flatMap(({ file, title }) => {
      if (!file.endsWith('.spec.ts')) return [`${at}: ${file} is not a spec`];
      const known = titlesIn(file);
      if (known === null) return [`${at}: there is no file ${file}`];
      return known.has(title) ? [] : [`${at}: ${file} has no test "${title}"`];
    });
  });
}

function readTitles(file: string): Set<string> | null {
  return existsSync(file) ? testTitles(readFileSync(file, 'utf8')) : null;
}

/**
 * The titles of the tests in the text of a spec, as they stand in its source (`%s` and `${…}` unfilled): of
 * `it` and `test`, also with `.each`; a skipped test proves nothing and is left out.
 */
export function testTitles(source: string): Set<string> {
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(it|test)(\.each)?$/.test(calleeName(node.expression))) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.add(title.text);
      else if (title !== undefined && ts.isTemplateExpression(title))
        titles.add(title.getText().slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('spec.ts', source, ts.ScriptTarget.Latest, true));
  return titles;
}

/** `it.each(rows)('…')` and `` it.each`…`('…') `` are calls of what `it.each` gives. */
function calleeName(callee: ts.Expression): string {
  if (ts.isCallExpression(callee)) return calleeName(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return callee.tag.getText();
  return callee.getText().replace(/<[^]*$/, '');
}
