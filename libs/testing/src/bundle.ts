import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from './eventually';

const checkout = path.join(__dirname, '../../..');

/** An app as the image has it: one file with all own code. */
export interface Bundle {
  /** A temporary folder, in which the processes run. */
  folder: string;
  /** Starts a process on free ports, with this configuration, and waits until it is ready. */
  start(env: Record<string, string>): Promise<BundledProcess>;
  /** Stops the processes and removes all files. */
  remove(): Promise<void>;
}

export interface BundledProcess {
  url: string;
  /** The log so far. */
  lines(): string[];
  stderr(): string;
}

/** Builds the bundle of `apps/<app>`. */
export function buildBundle(app: string): Bundle {
  const folder = mkdtempSync(path.join(tmpdir(), `${app}-`));
  // Below the checkout, where the packages are.
  const file = path.join(checkout, 'dist/test', path.basename(folder), 'main.js');
  execFileSync(process.execPath, ['build/build-app.mjs', `apps/${app}`, file], { cwd: checkout });
  const children: ChildProcess[] = [];
  return {
    folder,
    async start(env) {
      const child = spawn(process.execPath, [file], {
        cwd: folder,
        env: {
          Service__Hosting__Host: '127.0.0.1',
          Service__Hosting__Port: '0',
          Service__Hosting__InternalPort: '0',
          Service__Hosting__DrainSeconds: '0',
          ...env,
        },
      });
      children.push(child);
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk) => (out += String(chunk)));
      child.stderr.on('data', (chunk) => (err += String(chunk)));
      const port = await eventually(() => {
        const found = /"port":(\d+)[^]*"message":"ready"/.exec(out)?.[1];
        if (found === undefined) throw new Error(`not ready: ${out} ${err}`);
        return found;
      });
      return { url: `http://127.0.0.1:${port}`, lines: () => out.split('\n'), stderr: () => err };
    },
    async remove() {
      await Promise.all(children.map(ended));
      for (const made of [folder, path.dirname(file)]) rmSync(made, { recursive: true });
    },
  };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
