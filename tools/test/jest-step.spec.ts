import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { countJest, filesToRunAgain, jestStep, withSecondRun, type JestReport } from './jest-step';
import { runStep, wholeStep } from './step';

const file = (name: string, ...statuses: string[]): JestReport['testResults'][number] => ({
  name,
  status: statuses.every((status) => status === 'passed') && statuses.length > 0 ? 'passed' : 'failed',
  assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index}` })),
});
const green: JestReport = { testResults: [file('a', 'passed', 'passed'), file('b', 'passed')] };
const having = (...files: JestReport['testResults']) => ({ testResults: [...green.testResults, ...files] });

describe('counting a run of jest', () => {
  it('counts tests', () => {
    expect(countJest(green, 0)).toEqual({ passed: 3, failed: 0 });
    expect(countJest(having(file('c', 'failed', 'passed', 'failed')), 1)).toEqual({ passed: 4, failed: 2 });
  });

  it('counts a spec file that cannot be run as a failure', () => {
    expect(countJest(having(file('c')), 1)).toEqual({ passed: 3, failed: 1 });
  });

  it('counts what was skipped as a failure', () => {
    const skipping = having({ ...file('c', 'pending', 'todo'), status: 'passed' });
    expect(countJest(skipping, 0)).toEqual({ passed: 3, failed: 2 });
  });

  it('counts a run without tests as a failure', () => {
    expect(countJest({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 1 });
  });

  it('is never green when jest was not', () => {
    expect(countJest(green, 1)).toEqual({ passed: 3, failed: 1 });
    expect(countJest(null, 0)).toEqual({ passed: 0, failed: 1 });
  });
});

describe('a second run', () => {
  const first = having(file('c', 'passed', 'failed'), file('d'));

  it('is for the files that failed', () => {
    expect(filesToRunAgain(first)).toEqual(['c', 'd']);
    expect(filesToRunAgain(green)).toEqual([]);
  });

  it('is not for many files', () => {
    expect(filesToRunAgain(having(...['c', 'd', 'e', 'f'].map((name) => file(name, 'failed'))))).toEqual([]);
  });

  it('counts instead of the first', () => {
    const second = { testResults: [file('c', 'passed', 'passed'), file('d', 'passed')] };
    expect(countJest(withSecondRun(first, second), 0)).toEqual({ passed: 6, failed: 0 });
  });

  it('fails what fails again, and what it could not run', () => {
    const second = { testResults: [file('c', 'passed', 'failed')] };
    expect(countJest(withSecondRun(first, second), 1)).toEqual({ passed: 4, failed: 2 });
    expect(countJest(withSecondRun(first, null), 1)).toEqual({ passed: 4, failed: 2 });
  });

  it('names the test that failed in the first run only', async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-jest-step-'));
    try {
      const write = (name: string, text: string) => writeFileSync(path.join(dir, name), text);
      write('jest.config.js', 'module.exports = {};');
      write('stable.spec.js', "it('passes', () => undefined);");
      write(
        'unstable.spec.js',
        `const { existsSync, writeFileSync } = require('node:fs');
         it('passes the second time', () => {
           const ranBefore = existsSync('${dir}/ran');
           writeFileSync('${dir}/ran', '');
           expect(ranBefore).toBe(true);
         });`,
      );
      const found = await jestStep(path.join(dir, 'jest.config.js'), {}, 1);
      expect(found).toMatchObject({ passed: 2, failed: 0 });
      expect(found.notes).toEqual([
        expect.stringMatching(/^unstable, run twice: .*unstable\.spec\.js: passes the second time$/),
      ]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
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

  it('shows why its program did nothing', async () => {
    const said: string[] = [];
    const find = () => wholeStep(['-e', 'console.log("begins\\nskipped: no engine")']);
    await runStep('containers', find, (line) => said.push(line));
    expect(said).toEqual([expect.stringContaining('ok   containers'), '     skipped: no engine']);
  });

  it('shows the notes of a step that passes', async () => {
    const said: string[] = [];
    await runStep(
      'unstable',
      () => Promise.resolve({ passed: 1, failed: 0, output: '', notes: ['run twice: a.spec.ts'] }),
      (line) => said.push(line),
    );
    expect(said).toEqual([expect.stringContaining('ok   unstable'), '     run twice: a.spec.ts']);
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
