import type { Role } from '@canvass/auth';
import { statement, type Queryable } from '@canvass/postgres';
import type { NewServiceAccount, ServiceAccount, ServiceAccountChange } from './service-account';

const columns = `id, client_id as "clientId", name, roles, is_enabled as "isEnabled", revision,
  created_at as "createdAt", modified_at as "modifiedAt"`;

const insert = statement<
  { tenantId: string; clientId: string; name: string; secretHash: Buffer; roles: Role[]; isEnabled: boolean },
  ServiceAccount
>(
  'service_accounts.insert',
  `insert into service_accounts (tenant_id, client_id, name, secret_hash, roles, is_enabled)
   values ($tenantId, $clientId, $name, $secretHash, $roles, $isEnabled) returning ${columns}`,
);
const one = `select ${columns} from service_accounts where tenant_id = $tenantId and id = $id`;
const select = statement<{ tenantId: string; id: string }, ServiceAccount>('service_accounts.select', one);
const lock = statement<{ tenantId: string; id: string }, ServiceAccount>(
  'service_accounts.lock',
  `${one} for update`,
);
const page = statement<{ tenantId: string; limit: number; offset: number }, ServiceAccount>(
  'service_accounts.page',
  `select ${columns} from service_accounts where tenant_id = $tenantId order by name, id limit $limit offset $offset`,
);
const count = statement<{ tenantId: string }, { total: string }>(
  'service_accounts.count',
  'select count(*) as total from service_accounts where tenant_id = $tenantId',
);
const update = statement<
  {
    tenantId: string;
    id: string;
    name: string | undefined;
    roles: Role[] | undefined;
    isEnabled: boolean | undefined;
  },
  ServiceAccount
>(
  'service_accounts.update',
  `update service_accounts set
     name = coalesce($name, name),
     roles = coalesce($roles::text[], roles),
     is_enabled = coalesce($isEnabled, is_enabled),
     revision = revision + 1,
     modified_at = now()
   where tenant_id = $tenantId and id = $id
   returning ${columns}`,
);
const remove = statement<{ tenantId: string; id: string }>(
  'service_accounts.delete',
  'delete from service_accounts where tenant_id = $tenantId and id = $id',
);
const byClientId = statement<{ clientId: string }, ClientCredentials>(
  'service_accounts.by_client_id',
  `select tenant_id as "tenantId", id, name, roles, secret_hash as "secretHash",
     token_version as "tokenVersion"
   from service_accounts where client_id = $clientId and is_enabled`,
);

export interface ClientCredentials {
  tenantId: string;
  id: string;
  name: string;
  roles: Role[];
  secretHash: Buffer;
  tokenVersion: number;
}

export type ServiceAccountRow = NewServiceAccount & { clientId: string; secretHash: Buffer };

export async function insertServiceAccount(
  db: Queryable,
  tenantId: string,
  { clientId, name, secretHash, roles, isEnabled }: ServiceAccountRow,
): Promise<ServiceAccount> {
  const account = insert({ tenantId, clientId, name, secretHash, roles, isEnabled });
  return (await db.query(account))[0]!;
}

export async function selectServiceAccount(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<ServiceAccount | undefined> {
  return (await db.query(select({ tenantId, id })))[0];
}

export async function selectServiceAccounts(
  db: Queryable,
  tenantId: string,
  limit: number,
  offset: number,
): Promise<{ items: ServiceAccount[]; total: number }> {
  const items = await db.query(page({ tenantId, limit, offset }));
  const [counted] = await db.query(count({ tenantId }));
  return { items, total: Number(counted!.total) };
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
  { name, roles, isEnabled }: ServiceAccountChange,
): Promise<ServiceAccount> {
  return (await tx.query(update({ tenantId, id, name, roles, isEnabled })))[0]!;
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
