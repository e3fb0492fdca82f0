import { recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { revokeAll } from '../revocations';
import { revokeSessions } from './sessions.sql';

/** Ends the sessions of a user but one: their refresh tokens and their access tokens. */
export async function endSessions(
  db: Database,
  tenantId: string,
  userId: string,
  except: string | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const sessions = await revokeSessions(tx, tenantId, userId, { except });
    for (const id of sessions) await revokeAll(tx, 'session', id);
    if (sessions.length > 0)
      await recordAudit(tx, { tenantId, object: ['user', userId], after: { sessions } });
  });
}

/** Ends one session of a user. @throws {Problem} `not_found` */
export async function endOneSession(
  db: Database,
  tenantId: string,
  userId: string,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [ended] = await revokeSessions(tx, tenantId, userId, { only: id });
    if (ended === undefined) throw notFound('session', id);
    await revokeAll(tx, 'session', id);
    await recordAudit(tx, { tenantId, object: ['session', id] });
  });
}
