import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { serverHome, writeAs, withClient } from '@canvass/infra';
import { eventually } from '@canvass/testing';

/** Settings with which a server archives its WAL; it must be restarted then. Returns the folder of the archive. */
export async function archiveWal(url: string, dir: string): Promise<string> {
  const { dir: archive } = serverHome(path.join(dir, 'archive'));
  await withClient(url, async (session) => {
    await session.query(`alter system set archive_mode = on`);
    await session.query(
      `alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
    );
  });
  return archive;
}

/** Names this moment in the WAL, and waits until the archive has it. */
export async function markPoint(url: string, name: string): Promise<void> {
  await withClient(url, async (session) => {
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

/**
 * Makes the data of a server that recovers up to the point when it starts, and then accepts writes.
 *
 * @param archives whether it archives its own WAL from then on
 */
export function prepareRecovery(
  backup: string,
  data: string,
  { archive, point, archives }: { archive: string; point: string; archives: boolean },
): void {
  run('cp', ['-a', backup, data]);
  appendFileSync(
    path.join(data, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_name = '${point}'\nrecovery_target_action = 'promote'\narchive_mode = ${archives ? 'on' : 'off'}\n`,
  );
  writeAs(path.join(data, 'recovery.signal'), '', data);
}

/** Waits until a server has recovered. */
export const untilRecovered = (url: string): Promise<void> =>
  eventually(
    () =>
      withClient(url, async (session) => {
        const { rows } = await session.query<{ is: boolean }>('select pg_is_in_recovery() as is');
        if (rows[0]!.is) throw new Error('still in recovery');
      }),
    { timeoutMs: 90_000 },
  );

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
