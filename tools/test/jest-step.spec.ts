import { countJest, type JestReport } from './jest-step';
import { runStep, wholeStep } from './step';

const green: JestReport = {
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};

describe('counting a run of jest', () => {
  it('counts tests', () => {
    expect(countJest(green, 0)).toEqual({ passed: 7, failed: 0 });
    expect(countJest({ ...green, numFailedTests: 2 }, 1)).toEqual({ passed: 7, failed: 2 });
  });

  it('counts a spec file that cannot be run as a failure', () => {
    expect(countJest({ ...green, numRuntimeErrorTestSuites: 1 }, 1)).toEqual({ passed: 7, failed: 1 });
  });

  it('counts what was skipped as a failure', () => {
    expect(countJest({ ...green, numPendingTests: 1, numTodoTests: 1 }, 0)).toEqual({ passed: 7, failed: 2 });
  });

  it('counts a run without tests as a failure', () => {
    expect(countJest({ ...green, numPassedTests: 0 }, 0)).toEqual({ passed: 0, failed: 1 });
  });

  it('may be empty where only changes are tested, but not fail', () => {
    expect(countJest({ ...green, numPassedTests: 0 }, 0, true)).toEqual({ passed: 0, failed: 0 });
    expect(countJest({ ...green, numPassedTests: 0 }, 1, true)).toEqual({ passed: 0, failed: 1 });
  });

  it('is never green when jest was not', () => {
    expect(countJest(green, 1)).toEqual({ passed: 7, failed: 1 });
    expect(countJest(null, 0)).toEqual({ passed: 0, failed: 1 });
  });
});

describe('a step', () => {
  it('shows all its output when it fails, and none when it passes', async () => {
    const said: string[] = [];
    const bad = await runStep(
      'bad',
      () => wholeStep(['-e', 'console.log("why"); process.exit(2)']),
      (line) => said.push(line),
    );
    expect(bad).toMatchObject({ passed: 0, failed: 1 });
    expect(said.join('\n')).toMatch(/why[\s\S]*FAIL bad \(/);
    said.length = 0;
    const good = await runStep(
      'good',
      () => wholeStep(['-e', 'console.log("quiet")']),
      (line) => said.push(line),
    );
    expect(good).toMatchObject({ passed: 1, failed: 0 });
    expect(said).toEqual([expect.stringMatching(/^ok {3}good \(\d+\.\d s\)$/)]);
  });

  it('fails when its program does not exist', async () => {
    const result = await runStep(
      'missing',
      () => wholeStep(['--import', 'tsx', 'deploy/checks/missing.ts']),
      () => undefined,
    );
    expect(result).toMatchObject({ passed: 0, failed: 1 });
    expect(result.output).toContain('missing.ts');
  });

  it('fails when it cannot be carried out', async () => {
    const said: string[] = [];
    const result = await runStep(
      'torn',
      () => Promise.reject(new Error('no server')),
      (line) => said.push(line),
    );
    expect(result.failed).toBe(1);
    expect(said.join('\n')).toContain('no server');
  });
});
