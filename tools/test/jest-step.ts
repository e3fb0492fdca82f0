import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkoutDir, readJson, runNode } from '../infra';
import type { Finding } from './step';

/** The parts of `jest --json` that are counted. */
export interface JestReport {
  testResults: {
    /** Path of the spec file. */
    name: string;
    /** `failed` as well if the file cannot be run; it has no assertions then. */
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/** A run takes half an hour on two idle cores; other work on the machine makes it longer. */
const maxMinutes = 60;

/** More failed spec files than this are not a matter of chance, and are not run again. */
const maxFilesAgain = 3;

/**
 * Counts a run of jest. A spec file that cannot be run is one failure, and so is a run that ends badly
 * although no test failed (a broken tear-down, a crash). Skipped tests are failures, and so is a run
 * without any test.
 */
export function countJest(report: JestReport | null, status: number): { passed: number; failed: number } {
  if (!report) return { passed: 0, failed: 1 };
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter((test) => test.status === 'passed').length;
  const failed = tests.length - passed + report.testResults.filter(hasOnlyFailedItself).length;
  const incomplete = status !== 0 || passed === 0;
  return { passed, failed: failed === 0 && incomplete ? 1 : failed };
}

type FileResult = JestReport['testResults'][number];

const hasOnlyFailedItself = ({ status, assertionResults }: FileResult) =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed');

/** Returns the spec files worth a second run: those that failed, unless they are many. */
export function filesToRunAgain(report: JestReport | null): string[] {
  const failed = report?.testResults.filter(({ status }) => status === 'failed') ?? [];
  return failed.length <= maxFilesAgain ? failed.map(({ name }) => name) : [];
}

/** Returns the report with the results of a second run in place of the first ones of the same files. */
export function withSecondRun(first: JestReport, second: JestReport | null): JestReport {
  const again = new Map(second?.testResults.map((file) => [file.name, file]));
  return { testResults: first.testResults.map((file) => again.get(file.name) ?? file) };
}

/**
 * Runs jest with a configuration file; every test counts. A spec file that failed beside others runs once
 * more alone, and its second result counts. A note names its tests that failed the first time, so that an
 * unstable test is seen and mended without keeping a good change from being merged.
 *
 * @param selection arguments of jest that select spec files
 */
export async function jestStep(
  config: string,
  env: NodeJS.ProcessEnv,
  workers: number,
  selection: readonly string[] = [],
): Promise<Finding> {
  const first = await runJest(config, env, [`--maxWorkers=${workers}`, ...selection]);
  const files = filesToRunAgain(first.report);
  if (!first.report || files.length === 0) {
    return { ...countJest(first.report, first.status), output: first.output };
  }
  const second = await runJest(config, env, ['--runInBand', '--runTestsByPath', ...files]);
  const stillFailed = new Set(filesToRunAgain(second.report));
  return {
    ...countJest(withSecondRun(first.report, second.report), second.status),
    output: `${first.output}\n\nSecond run of what failed:\n\n${second.output}`,
    notes: first.report.testResults
      .filter(({ name }) => files.includes(name) && second.report !== null && !stillFailed.has(name))
      .map((file) => `unstable, run twice: ${path.relative(checkoutDir, file.name)}: ${failuresOf(file)}`),
  };
}

const failuresOf = (file: FileResult) =>
  file.assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => test.fullName)
    .join('; ') || 'the file itself';

/** The spec files that import one of the files or are one of them, as paths within the work tree. */
export async function relatedSpecs(config: string, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const jest = require.resolve('jest/bin/jest');
  const args = [jest, '-c', config, '--listTests', '--findRelatedTests', ...files];
  const { status, output } = await runNode(args, {}, 2);
  if (status !== 0) throw new Error(output);
  const lines = output.split('\n').filter((line) => path.isAbsolute(line));
  return lines.map((file) => path.relative(checkoutDir, file)).sort();
}

async function runJest(config: string, env: NodeJS.ProcessEnv, options: string[]) {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-jest-'));
  try {
    const outputFile = path.join(dir, 'report.json');
    const jest = require.resolve('jest/bin/jest');
    // Something that a spec left open must not keep a run from ending that has its results.
    const args = [jest, '-c', config, '--json', `--outputFile=${outputFile}`, '--forceExit', ...options];
    const { status, output } = await runNode(args, env, maxMinutes);
    return { status, output, report: readJson<JestReport>(outputFile) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
