import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serverHome } from '@canvass/infra';
import { eventually } from '@canvass/testing';
import { Client } from 'pg';

/** Runs `use` in a session of a superuser. */
export async function inSession<T>(url: string, use: (session: Client) => Promise<T>): Promise<T> {
  const session = new Client({ connectionString: url });
  session.on('error', () => undefined);
  await session.connect();
  try {
    return await use(session);
  } finally {
    await session.end().catch(() => undefined);
  }
}

/** Settings with which a server archives its WAL; it must be restarted then. Returns the folder of the archive. */
export async function archiveWal(url: string, dir: string): Promise<string> {
  const { dir: archive } = serverHome(path.join(dir, 'archive'));
  await inSession(url, async (session) => {
    await session.query(`alter system set archive_mode = on`);
    await session.query(
      `alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
    );
  });
  return archive;
}

/** Copies the data of a running server, as docs/backup.md does. */
export async function baseBackup(url: string, data: string, backup: string): Promise<void> {
  mkdirSync(backup, { recursive: true });
  await inSession(url, async (session) => {
    await session.query(`select pg_backup_start('proof', fast => true)`);
    // tar returns 1 if a file changed while it was read, which the WAL repairs.
    const excluded = ['./postmaster.pid', './pg_wal/*', './pg_replslot/*'].map(
      (each) => `--exclude='${each}'`,
    );
    run('sh', ['-c', `tar -C ${data} ${excluded.join(' ')} -cf - . | tar -C ${backup} -xpf -`]);
    const { rows } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    writeAs(path.join(backup, 'backup_label'), rows[0]!.labelfile, data);
  });
}

/** Names this moment in the WAL, and waits until the archive has it. */
export async function markPoint(url: string, name: string): Promise<void> {
  await inSession(url, async (session) => {
    await session.query('select pg_create_restore_point($1)', [name]);
    const { rows } = await session.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
    await eventually(async () => {
      const archived = await session.query('select from pg_stat_archiver where last_archived_wal >= $1', [
        rows[0]!.file,
      ]);
      if (archived.rowCount !== 1) throw new Error(`${rows[0]!.file} is not in the archive`);
    });
  });
}

/** Makes the data of a server that recovers up to the point when it starts, and then accepts writes. */
export function prepareRecovery(backup: string, data: string, archive: string, point: string): void {
  run('cp', ['-a', backup, data]);
  appendFileSync(
    path.join(data, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_name = '${point}'\nrecovery_target_action = 'promote'\n`,
  );
  writeAs(path.join(data, 'recovery.signal'), '', data);
}

/** Waits until a server has recovered. */
export const untilRecovered = (url: string): Promise<void> =>
  eventually(
    () =>
      inSession(url, async (session) => {
        const { rows } = await session.query<{ is: boolean }>('select pg_is_in_recovery() as is');
        if (rows[0]!.is) throw new Error('still in recovery');
      }),
    { timeoutMs: 90_000 },
  );

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}

/** Writes a file that belongs to the owner of the data. */
function writeAs(file: string, text: string, data: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  const { uid, gid } = statSync(data);
  chownSync(file, uid, gid);
}
