import { statement, type Queryable } from '@canvass/postgres';
import { createHash } from 'node:crypto';

type User = { tenantId: string; userId: string };

const put = statement<User & { tokenHash: Buffer; minutes: number }, { expiresAt: Date }>(
  'password_links.put',
  `insert into password_links (tenant_id, user_id, token_hash, expires_at)
   values ($tenantId, $userId, $tokenHash, now() + make_interval(mins => $minutes))
   on conflict (tenant_id, user_id) do update
     set token_hash = excluded.token_hash, expires_at = excluded.expires_at
   returning expires_at as "expiresAt"`,
);
const find = statement<{ tokenHash: Buffer }, User>(
  'password_links.find',
  `select tenant_id as "tenantId", user_id as "userId" from password_links
   where token_hash = $tokenHash and expires_at > now()`,
);
const use = statement<{ tokenHash: Buffer }>(
  'password_links.use',
  'delete from password_links where token_hash = $tokenHash and expires_at > now() returning 1',
);

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Stores a token for a user. An earlier one ends. */
export async function putLink(db: Queryable, user: User, token: string, minutes: number): Promise<Date> {
  return (await db.query(put({ ...user, tokenHash: hashOf(token), minutes })))[0]!.expiresAt;
}

/** The user of a valid token. */
export async function userOfLink(db: Queryable, token: string): Promise<User | undefined> {
  return (await db.query(find({ tokenHash: hashOf(token) })))[0];
}

/** Uses a token up. Of two concurrent uses one succeeds. */
export async function useLink(tx: Queryable, token: string): Promise<boolean> {
  return (await tx.query(use({ tokenHash: hashOf(token) }))).length > 0;
}
