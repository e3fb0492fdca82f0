import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { slugOf } from '../site/slug';

/** A fenced block of code. `line` is that of its fence. */
export interface CodeBlock {
  language: string;
  text: string;
  line: number;
}

const fence = /^( *)(`{3,})([\w-]*)[^\n]*\n([^]*?)^ *\2 *$/gm;

export function codeBlocksOf(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(fence)].map(({ 1: indent, 3: language, 4: text, index }) => ({
    language: language!,
    text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    line: markdown.slice(0, index).split('\n').length,
  }));
}

/** The Markdown files that git knows or could know, relative to the folder. */
export const markdownFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));

/** The anchors that the headings of a page get, as GitHub and the site make them. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutBlocks(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = slugOf(heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Lines stay where they are. */
const withoutBlocks = (markdown: string): string =>
  markdown.replaceAll(fence, (block) => block.replaceAll(/[^\n]/g, ''));

/** A page without its code. */
const prose = (markdown: string): string =>
  withoutBlocks(markdown).replaceAll(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));

/** The faults of the links of a page to files of the repository, one sentence each. */
export function linkFaults(root: string, file: string): string[] {
  const text = prose(readFileSync(path.join(root, file), 'utf8'));
  const faults: string[] = [];
  const links = [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]: +(\S+)/gm)];
  for (const { 1: inline, 2: reference, index } of links) {
    const link = (inline ?? reference)!;
    if (/^[a-z][a-z+.-]*:/i.test(link)) continue;
    const [place = '', anchor] = link.split('#');
    const target = place === '' ? file : path.join(path.dirname(file), decodeURIComponent(place));
    const at = `${file}:${text.slice(0, index).split('\n').length}`;
    if (!existsSync(path.join(root, target))) faults.push(`${at} links to ${target}, which does not exist`);
    else if (anchor !== undefined && target.endsWith('.md')) {
      if (!anchorsOf(readFileSync(path.join(root, target), 'utf8')).has(anchor))
        faults.push(`${at} links to #${anchor}, which ${target} does not have`);
    }
  }
  return faults;
}

/** Checks the syntax of a sample; undefined if it is right. Other languages have no check. */
const checks: Record<string, (text: string) => string | undefined> = {
  json: (text) => reasonOf(() => linesOrOne(text)),
  yaml: (text) => parseAllDocuments(text).flatMap((document) => document.errors)[0]?.message,
  js: scriptFault,
  ts: scriptFault,
  sh: shellFault,
  bash: shellFault,
};

/** The faults of the code samples of a page, one sentence each. */
export function sampleFaults(root: string, file: string): string[] {
  return codeBlocksOf(readFileSync(path.join(root, file), 'utf8')).flatMap(({ language, text, line }) => {
    const reason = checks[language]?.(text);
    return reason === undefined ? [] : [`${file}:${line} is not ${language}: ${reason.split('\n')[0]}`];
  });
}

/** JSON, or one JSON per line. */
function linesOrOne(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const lines = text.trim().split('\n');
    if (lines.length < 2 || !lines.every((line) => line.startsWith('{'))) throw error;
    for (const line of lines) JSON.parse(line);
  }
}

function scriptFault(text: string): string | undefined {
  const { diagnostics = [] } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { allowJs: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  return diagnostics[0] && ts.flattenDiagnosticMessageText(diagnostics[0].messageText, ' ');
}

function shellFault(text: string): string | undefined {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
  return status === 0 ? undefined : stderr;
}

function reasonOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
