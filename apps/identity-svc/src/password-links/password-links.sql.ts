import { ownProvider, type Principal } from '@canvass/auth';
import { readKeyPage, statement, type KeyOrder, type Queryable } from '@canvass/postgres';
import type { Actor, KeyPage, KeyQuery } from '@canvass/service-kit';
import { createHash } from 'node:crypto';
import type { Delivery } from '../users';

type User = { tenantId: string; userId: string };

/** An open link in the API. */
export interface OpenLink {
  userId: string;
  email: string;
  /** Null: no account. */
  madeBy: Actor | null;
  madeAt: Date;
  expiresAt: Date;
  isMailed: boolean;
}

interface NewLink extends User {
  /** Members of the user, as they were read for the link. */
  email: string;
  version: number;
  minutes: number;
  delivery: Delivery;
  maker: Principal | null;
}

const put = statement<
  Omit<NewLink, 'maker'> & {
    tokenHash: Buffer;
    provider: string | null;
    kind: string | null;
    subject: string | null;
    makerVersion: number | null;
  },
  { expiresAt: Date }
>(
  'password_links.put',
  `insert into password_links as l (tenant_id, user_id, token_hash, expires_at, email, user_version, delivery,
     maker_provider, maker_kind, maker_subject, maker_version)
   values ($tenantId, $userId, $tokenHash, now() + make_interval(mins => $minutes), $email, $version, $delivery,
     $provider, $kind, $subject, $makerVersion)
   on conflict (tenant_id, user_id) do update
     set (token_hash, expires_at, email, user_version, delivery, maker_provider, maker_kind, maker_subject,
       maker_version, made_at) = (excluded.token_hash, excluded.expires_at, excluded.email, excluded.user_version,
       excluded.delivery, excluded.maker_provider, excluded.maker_kind, excluded.maker_subject,
       excluded.maker_version, now())
   returning expires_at as "expiresAt"`,
);
/**
 * A link ends with the state of its user, and with the rights of its maker: what is issued must not outlive
 * who issued it. Of users of other providers nothing is known here.
 */
const isOwn = `l.maker_provider = '${ownProvider}'`;
const makerId = `case when ${isOwn} then l.maker_subject::bigint end`;
const makerHolds = (kind: string, table: string) =>
  `l.maker_kind = '${kind}' and exists (select from ${table} m where m.tenant_id = l.tenant_id
     and m.id = ${makerId} and m.is_enabled and m.token_version = l.maker_version)`;
const isOpen = `l.expires_at > now() and u.tenant_id = l.tenant_id and u.id = l.user_id and u.is_enabled
  and u.token_version = l.user_version and u.email = l.email
  and (l.maker_provider is null or not ${isOwn}
    or ${makerHolds('user', 'users')} or ${makerHolds('service', 'service_accounts')})`;

const find = statement<{ tokenHash: Buffer }, User>(
  'password_links.find',
  `select l.tenant_id as "tenantId", l.user_id as "userId" from password_links l, users u
   where l.token_hash = $tokenHash and ${isOpen}`,
);
const use = statement<{ tokenHash: Buffer }, { delivery: Delivery }>(
  'password_links.use',
  `delete from password_links l using users u where l.token_hash = $tokenHash and ${isOpen} returning l.delivery`,
);
const withdraw = statement<User>(
  'password_links.withdraw',
  `delete from password_links l using users u
   where l.tenant_id = $tenantId and l.user_id = $userId and ${isOpen} returning 1`,
);
type Chosen = { tenantId: string; userId: string | undefined };
const columns = `l.user_id as "userId", l.email, l.made_at as "madeAt", l.expires_at as "expiresAt",
  l.delivery = 'mail' as "isMailed",
  case when l.maker_provider is not null then
    json_build_object('provider', l.maker_provider, 'kind', l.maker_kind, 'subject', l.maker_subject) end as "madeBy"`;
const chosen = `from password_links l, users u
  where l.tenant_id = $tenantId and ($userId::bigint is null or l.user_id = $userId) and ${isOpen}`;
const all = statement<Chosen, OpenLink & { id: string }>(
  'password_links.all',
  `select ${columns}, l.user_id as id, date_trunc('milliseconds', l.made_at at time zone 'UTC') as key ${chosen}`,
);
const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Stores a token for a user. An earlier one ends. */
export async function putLink(db: Queryable, { maker, ...link }: NewLink, token: string): Promise<Date> {
  const { provider = null, kind = null, subject = null, claims } = maker ?? {};
  const version = claims?.['ver'];
  const makerVersion = typeof version === 'number' && provider === ownProvider ? version : null;
  const row = { ...link, tokenHash: hashOf(token), provider, kind, subject, makerVersion };
  return (await db.query(put(row)))[0]!.expiresAt;
}

/** The user of a valid token. */
export async function userOfLink(db: Queryable, token: string): Promise<User | undefined> {
  return (await db.query(find({ tokenHash: hashOf(token) })))[0];
}

/** Uses a token up, if it is still valid. Of two concurrent uses one succeeds. */
export async function useLink(tx: Queryable, token: string): Promise<Delivery | undefined> {
  return (await tx.query(use({ tokenHash: hashOf(token) })))[0]?.delivery;
}

/** Ends the open link of a user. False without one. */
export async function withdrawLink(tx: Queryable, user: User): Promise<boolean> {
  return (await tx.query(withdraw(user))).length > 0;
}

const lastMadeFirst: KeyOrder = { name: 'madeAt', direction: 'desc', key: { type: 'time' } };

/** The open links of a tenant, the last made first. @throws {Problem} `validation_failed` for the cursor */
export function selectLinks(db: Queryable, which: Chosen, window: KeyQuery): Promise<KeyPage<OpenLink>> {
  return readKeyPage(db, all(which), lastMadeFirst, window, ({ id: _, ...link }) => link);
}
