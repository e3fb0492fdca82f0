import { ESLint } from 'eslint';
import { createProjectGraphAsync } from 'nx/src/devkit-exports';

/**
 * Lints source texts as if they stood at the given paths, with the workspace's own eslint.config.mjs. Reads
 * `LintCase[]` as JSON from stdin, writes `LintFinding[][]` as JSON to stdout. A process of its own, because jest's
 * module sandbox cannot load an ES module configuration.
 */
export interface LintCase {
  /** Path of an existing file from the workspace's root: typed lint knows only files of a TypeScript project. */
  filePath: string;
  /** Source text that is linted instead of the file's own. */
  code: string;
}

export interface LintFinding {
  rule: string | null;
  message: string;
}

async function main(): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const cases = JSON.parse(Buffer.concat(chunks).toString('utf8')) as LintCase[];

  // Without a cached project graph the boundary rule skips itself and everything passes.
  await createProjectGraphAsync();
  const eslint = new ESLint();

  const findings: LintFinding[][] = [];
  for (const { filePath, code } of cases) {
    const results = await eslint.lintText(code, { filePath });
    findings.push(
      results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => ({ rule: ruleId, message }))),
    );
  }
  process.stdout.write(JSON.stringify(findings));
}

void main();
