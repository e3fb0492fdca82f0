import { eventually } from '@canvass/testing';
import { build } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Run {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  exit: Promise<number | null>;
  /** The URL of the process, once it is ready. */
  url: () => Promise<string>;
}

/**
 * Bundles fixtures/process.ts like a service and returns a function that runs it. Processes end with the spec
 * file.
 */
export function fixtureProcesses(): (env?: Record<string, string>, argv?: string[]) => Run {
  const folder = mkdtempSync(path.join(tmpdir(), 'process-'));
  const script = path.join(folder, 'main.js');
  const children: ChildProcess[] = [];

  beforeAll(() =>
    build({
      entryPoints: [path.join(__dirname, 'fixtures/process.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      tsconfig: path.join(__dirname, '../../../tsconfig.base.json'),
      logLevel: 'warning',
    }),
  );
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));
  afterAll(() => rmSync(folder, { recursive: true }));

  return (env = {}, argv = []) => {
    const child = spawn(process.execPath, [script, ...argv], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        Service__Hosting__Host: '127.0.0.1',
        Service__Hosting__DrainSeconds: '0',
        ...env,
      },
    });
    children.push(child);
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    child.stderr.on('data', (chunk) => (err += String(chunk)));
    return {
      child,
      out: () => out,
      err: () => err,
      exit: new Promise((resolve) => child.on('close', resolve)),
      url: () =>
        eventually(() => {
          const port = /"port":(\d+)[^]*"ready"/.exec(out)?.[1];
          if (port === undefined) throw new Error(`not ready: ${out} ${err}`);
          return `http://127.0.0.1:${port}`;
        }),
    };
  };
}
