import { Client } from 'pg';
import { stackFile } from './stack';

/** Makes a user sign in without naming a tenant, as a link by mail does: the stack sends no mails. */
export async function proveMailbox(userId: string): Promise<void> {
  const { databaseUrl } = await stackFile();
  const db = new Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    await db.query('update identity.users set mailbox_proved_at = now() where id = $1', [userId]);
  } finally {
    await db.end();
  }
}
