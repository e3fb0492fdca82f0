import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pgBouncerBinary, PortBook, serverHome } from '@canvass/infra';
import { Client } from 'pg';

export interface PgBouncer {
  version: string;
  /** Whether it keeps named prepared statements apart: 1.21 or later. */
  keepsStatements: boolean;
  /** The URL of the same database through the pooler. */
  through(url: string): string;
  /** Number of transactions that went through it so far. */
  transactions(): Promise<number>;
  stop(): Promise<void>;
}

const admin = 'pooler';

/**
 * Starts PgBouncer in transaction mode before the server of these URLs, with few connections per role.
 *
 * @param urls of the roles, with their passwords
 * @throws {SetupError} where it is not installed and cannot be downloaded
 */
export async function startPgBouncer(dir: string, urls: readonly string[]): Promise<PgBouncer> {
  const { program, libraries } = await pgBouncerBinary((line) => console.log(line));
  const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(':') };
  const [, version = ''] =
    /PgBouncer ([\d.]+)/.exec(spawnSync(program, ['--version'], { env, encoding: 'utf8' }).stdout) ?? [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const keepsStatements = major > 1 || minor >= 21;

  const port = await new PortBook(path.join(dir, 'ports.json')).take('pgbouncer', 0);
  const { hostname, port: serverPort } = new URL(urls[0]!);
  // It refuses to run as root.
  const home = serverHome(path.join(dir, 'pgbouncer'));
  const file = (name: string, text: string) => {
    const full = path.join(home.dir, name);
    writeFileSync(full, text);
    chmodSync(full, 0o644);
    return full;
  };
  const users = urls
    .map((url) => new URL(url))
    .map(({ username, password }) => `"${username}" "${password}"\n`);
  const userFile = file('users.txt', `"${admin}" "${admin}"\n${users.join('')}`);
  const configFile = file(
    'pgbouncer.ini',
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${userFile}
admin_users = ${admin}
pool_mode = transaction
default_pool_size = 5
${keepsStatements ? 'max_prepared_statements = 500' : ''}
`,
  );
  const child = spawn(program, [configFile], { env, stdio: ['ignore', 'ignore', 'pipe'], ...home.account });
  const log: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    log.push(line);
    if (line.includes('process up')) break;
  }
  child.stderr.resume();
  if (child.exitCode !== null || !log.some((line) => line.includes('process up')))
    throw new Error(`PgBouncer did not start:\n${log.join('\n')}`);

  return {
    version,
    keepsStatements,
    through(url) {
      const pooled = new URL(url);
      pooled.hostname = '127.0.0.1';
      pooled.port = String(port);
      return pooled.href;
    },
    async transactions() {
      const client = new Client({
        connectionString: `postgres://${admin}:${admin}@127.0.0.1:${port}/pgbouncer`,
      });
      await client.connect();
      const { rows } = await client.query<{ database: string; total_xact_count: string }>('show stats');
      await client.end();
      return rows.reduce((sum, { total_xact_count: count }) => sum + Number(count), 0);
    },
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    },
  };
}
