import type { Role } from '@canvass/auth';
import { readKeyPage, statement, type KeyOrder, type Queryable } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import type { NewServiceAccount, ServiceAccount, ServiceAccountChange } from './service-account';

const columns = `id, client_id as "clientId", name, roles, is_enabled as "isEnabled", revision,
  expires_at as "expiresAt", last_used_at as "lastUsedAt", form_ids as "formIds",
  case when previous_secret_expires_at > now() then previous_secret_expires_at end as "previousSecretExpiresAt",
  created_at as "createdAt", modified_at as "modifiedAt"`;

const insert = statement<
  {
    tenantId: string;
    clientId: string;
    name: string;
    secretHash: Buffer;
    roles: Role[];
    isEnabled: boolean;
    expiresAt: Date | null;
    formIds: string[] | null;
  },
  ServiceAccount
>(
  'service_accounts.insert',
  `insert into service_accounts (tenant_id, client_id, name, secret_hash, roles, is_enabled, expires_at, form_ids)
   values ($tenantId, $clientId, $name, $secretHash, $roles, $isEnabled, $expiresAt, $formIds) returning ${columns}`,
);
const one = `select ${columns} from service_accounts where tenant_id = $tenantId and id = $id`;
const select = statement<{ tenantId: string; id: string }, ServiceAccount>('service_accounts.select', one);
const lock = statement<{ tenantId: string; id: string }, ServiceAccount>(
  'service_accounts.lock',
  `${one} for update`,
);
const all = statement<{ tenantId: string }, ServiceAccount>(
  'service_accounts.all',
  `select ${columns}, name as key from service_accounts where tenant_id = $tenantId`,
);
const update = statement<
  {
    tenantId: string;
    id: string;
    name: string | undefined;
    roles: Role[] | undefined;
    isEnabled: boolean | undefined;
    setsExpiry: boolean;
    expiresAt: Date | null | undefined;
    setsForms: boolean;
    formIds: string[] | null | undefined;
  },
  ServiceAccount
>(
  'service_accounts.update',
  `update service_accounts set
     name = coalesce($name, name),
     roles = coalesce($roles::text[], roles),
     is_enabled = coalesce($isEnabled, is_enabled),
     expires_at = case when $setsExpiry then $expiresAt::timestamptz else expires_at end,
     form_ids = case when $setsForms then $formIds::bigint[] else form_ids end,
     revision = revision + 1,
     modified_at = now()
   where tenant_id = $tenantId and id = $id
   returning ${columns}`,
);
const remove = statement<{ tenantId: string; id: string }>(
  'service_accounts.delete',
  'delete from service_accounts where tenant_id = $tenantId and id = $id',
);
const rotate = statement<
  { tenantId: string; id: string; secretHash: Buffer; overlapSeconds: number },
  ServiceAccount
>(
  'service_accounts.rotate',
  `update service_accounts set
     previous_secret_hash = secret_hash,
     previous_secret_expires_at = now() + make_interval(secs => $overlapSeconds),
     secret_hash = $secretHash,
     revision = revision + 1,
     modified_at = now()
   where tenant_id = $tenantId and id = $id
   returning ${columns}`,
);
const use = statement<{ tenantId: string; id: string }>(
  'service_accounts.use',
  `update service_accounts set last_used_at = now()
   where tenant_id = $tenantId and id = $id
     and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
);
const byClientId = statement<{ clientId: string }, ClientCredentials>(
  'service_accounts.by_client_id',
  `select tenant_id as "tenantId", id, name, roles, token_version as "tokenVersion", form_ids as "formIds",
     array[secret_hash] ||
       case when previous_secret_expires_at > now() then array[previous_secret_hash] else '{}'::bytea[] end as "secretHashes",
     floor(least(extract(epoch from expires_at - now()), 86400))::integer as "secondsLeft"
   from service_accounts
   where client_id = $clientId and is_enabled and (expires_at is null or expires_at > now() + interval '1 second')`,
);

export interface ClientCredentials {
  tenantId: string;
  id: string;
  name: string;
  roles: Role[];
  /** The current one, and the one before during its overlap. */
  secretHashes: Buffer[];
  tokenVersion: number;
  formIds: string[] | null;
  /** The time until it expires, at most a day, which no token exceeds; null: it does not expire. */
  secondsLeft: number | null;
}

export type ServiceAccountRow = NewServiceAccount & { clientId: string; secretHash: Buffer };

export async function insertServiceAccount(
  db: Queryable,
  tenantId: string,
  { clientId, name, secretHash, roles, isEnabled, expiresAt, formIds }: ServiceAccountRow,
): Promise<ServiceAccount> {
  const account = insert({
    tenantId,
    clientId,
    name,
    secretHash,
    roles,
    isEnabled,
    expiresAt,
    formIds,
  });
  return (await db.query(account))[0]!;
}

export async function selectServiceAccount(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<ServiceAccount | undefined> {
  return (await db.query(select({ tenantId, id })))[0];
}

const byName: KeyOrder = { name: 'name', direction: 'asc', key: { type: 'text' } };

/** The service accounts of a tenant, by name. @throws {Problem} `validation_failed` for the cursor */
export function selectServiceAccounts(
  db: Queryable,
  tenantId: string,
  window: KeyQuery,
): Promise<KeyPage<ServiceAccount>> {
  return readKeyPage(db, all({ tenantId }), byName, window, (account) => account);
}

export async function lockServiceAccount(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<ServiceAccount | undefined> {
  return (await tx.query(lock({ tenantId, id })))[0];
}

/** The account must exist: see `lockServiceAccount`. */
export async function updateServiceAccount(
  tx: Queryable,
  tenantId: string,
  id: string,
  { name, roles, isEnabled, expiresAt, formIds }: ServiceAccountChange,
): Promise<ServiceAccount> {
  const [setsExpiry, setsForms] = [expiresAt !== undefined, formIds !== undefined];
  const changed = { name, roles, isEnabled, setsExpiry, expiresAt, setsForms, formIds };
  return (await tx.query(update({ tenantId, id, ...changed })))[0]!;
}

export async function deleteServiceAccount(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query(remove({ tenantId, id }));
}

/** An enabled account of any tenant: client ids are unique across tenants. */
export async function credentialsByClientId(
  db: Queryable,
  clientId: string,
): Promise<ClientCredentials | undefined> {
  return (await db.query(byClientId({ clientId })))[0];
}

/** Replaces the secret. The one before stays valid for the overlap, and the one before that ends. */
export async function replaceSecret(
  tx: Queryable,
  tenantId: string,
  id: string,
  secretHash: Buffer,
  overlapSeconds: number,
): Promise<ServiceAccount> {
  return (await tx.query(rotate({ tenantId, id, secretHash, overlapSeconds })))[0]!;
}

/** Notes that the account got a token, at most once a minute. */
export async function noteUse(db: Queryable, tenantId: string, id: string): Promise<void> {
  await db.query(use({ tenantId, id }));
}
