import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from './scenario';

/** Null when pgbench can be run, else a sentence for the report. */
export function whyNoPgbench(): string | null {
  return spawnSync('pgbench', ['--version']).status === 0
    ? null
    : 'pgbench is not installed on this machine, so the statement without HTTP was left out.';
}

/** Runs one statement, prepared, for so long. Parameters are SQL texts in the order of `$1`, `$2`, …; `:random` is a random number. */
export async function pgbench(options: {
  databaseUrl: string;
  sql: string;
  parameters: readonly string[];
  clients: number;
  seconds: number;
}): Promise<Sample> {
  const url = new URL(options.databaseUrl);
  const sql = options.sql
    .replace(/\$(\d+)/g, (_, number: string) => options.parameters[Number(number) - 1] ?? 'null')
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-bench-'));
  const script = path.join(folder, 'script.sql');
  writeFileSync(script, `\\set random random(1, 9000000000000000)\n${sql};\n`);
  const time = Math.max(1, Math.round(options.seconds));
  try {
    const { stdout } = await promisify(execFile)(
      'pgbench',
      [
        '-h',
        url.hostname,
        '-p',
        url.port,
        '-U',
        url.username,
        '-M',
        'prepared',
        '-n',
        '-c',
        String(options.clients),
        '-j',
        '2',
        '-T',
        String(time),
        '-f',
        script,
        url.pathname.slice(1),
      ],
      { env: { ...process.env, PGPASSWORD: decodeURIComponent(url.password) } },
    );
    const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
    if (!(rate > 0)) throw new Error(`pgbench: ${stdout}`);
    return { operations: Math.round(rate * time), seconds: time, errors: failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
