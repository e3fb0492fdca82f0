import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readJson, runNode } from '../infra';
import type { Finding } from './step';

/** The parts of `jest --json` that are counted. */
export interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Spec files that could not even be run. */
  numRuntimeErrorTestSuites: number;
}

/**
 * Counts a run of jest. A spec file that cannot be run is one failure, and so is a run that ends badly
 * although no test failed (a broken tear-down, a crash). Skipped tests are failures, and so is a run
 * without any test, unless `mayBeEmpty`.
 */
export function countJest(
  report: JestReport | null,
  status: number,
  mayBeEmpty = false,
): { passed: number; failed: number } {
  if (!report) return { passed: 0, failed: 1 };
  const failed =
    report.numFailedTests + report.numRuntimeErrorTestSuites + report.numPendingTests + report.numTodoTests;
  const incomplete = status !== 0 || (report.numPassedTests === 0 && !mayBeEmpty);
  return { passed: report.numPassedTests, failed: failed === 0 && incomplete ? 1 : failed };
}

/**
 * Runs jest with a configuration file; every test counts.
 *
 * @param changedSince only the tests that a change since this commit can affect, which may be none
 */
export async function jestStep(
  config: string,
  env: NodeJS.ProcessEnv,
  workers: number,
  changedSince: string | null = null,
): Promise<Finding> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-jest-'));
  try {
    const outputFile = path.join(dir, 'report.json');
    const jest = require.resolve('jest/bin/jest');
    const options = ['--json', `--outputFile=${outputFile}`, `--maxWorkers=${workers}`];
    if (changedSince !== null) options.push(`--changedSince=${changedSince}`, '--passWithNoTests');
    const { status, output } = await runNode([jest, '-c', config, ...options], env);
    const counted = countJest(readJson<JestReport>(outputFile), status, changedSince !== null);
    return { ...counted, output };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
