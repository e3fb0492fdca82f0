import { every, type Loop } from '@canvass/async';
import { ownProvider, type Revocation } from '@canvass/auth';
import { statement, type Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';

const everyMs = 2_000;
const maxAtOnce = 1_000;

/** The feed names no tenant: ids of accounts are unique across tenants. */
const forgetAccounts = statement<{ provider: string; subjects: readonly string[] }>(
  'submitters_forget_accounts',
  `update submitters s set display_id = s.external_subject_id, profile = '{}', modified_at = now()
   from (select distinct tenant_id from forms) t
   where s.tenant_id = t.tenant_id and s.auth_provider = $provider and s.external_subject_id = any ($subjects)
     and (s.display_id, s.profile) is distinct from (s.external_subject_id, '{}'::jsonb)`,
);

/**
 * Removes address and profile of deleted users from the respondents that they are. The snapshots of their
 * submissions stay until an erasure. The feed of revoked tokens, which is read from its beginning at each
 * start, names deleted users for years, so none is missed.
 */
export function createDeletedAccounts(
  db: Database,
  logger: Logger,
): Loop & { add(revocation: Revocation): void } {
  const waiting = new Set<string>();
  const loop = every(
    everyMs,
    async () => {
      const subjects = [...waiting].slice(0, maxAtOnce);
      if (subjects.length === 0) return;
      await db.query(forgetAccounts({ provider: ownProvider, subjects }));
      for (const subject of subjects) waiting.delete(subject);
    },
    { onError: (error) => logger.warn({ error }, 'failed to remove the data of deleted users') },
  );
  return {
    ...loop,
    add({ kind, subject, minVersion }) {
      if (kind === 'user' && minVersion === null) waiting.add(subject);
    },
  };
}
