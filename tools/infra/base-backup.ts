import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { withClient } from './with-client';

/** Copies the data of a running server, as docs/backup.md does. The WAL is not copied. @param url of a superuser */
export async function baseBackup(url: string, data: string, backup: string): Promise<void> {
  mkdirSync(backup, { recursive: true });
  await withClient(url, async (session) => {
    await session.query(`select pg_backup_start('proof', fast => true)`);
    const excluded = ['./postmaster.pid', './pg_wal/*', './pg_replslot/*'].map(
      (each) => `--exclude='${each}'`,
    );
    // tar returns 1 if a file changed while it was read, which the WAL repairs.
    const copy = `tar -C ${data} ${excluded.join(' ')} -cf - . | tar -C ${backup} -xpf -`;
    await promisify(execFile)('sh', ['-c', copy]);
    const { rows } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    writeAs(path.join(backup, 'backup_label'), rows[0]!.labelfile, data);
  });
}

/** Writes a file that belongs to the owner of the data. */
export function writeAs(file: string, text: string, data: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  const { uid, gid } = statSync(data);
  chownSync(file, uid, gid);
}
