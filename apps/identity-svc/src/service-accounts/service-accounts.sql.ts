import type { Role } from '@canvass/auth';
import { statement, type Queryable } from '@canvass/postgres';
import type { IfMatch } from '@canvass/service-kit';
import type { NewServiceAccount, ServiceAccount, ServiceAccountChange } from './service-account';

const columns = `id, client_id as "clientId", name, roles, is_enabled as "isEnabled", revision,
  created_at as "createdAt", modified_at as "modifiedAt"`;

const insert = statement(
  'service_accounts.insert',
  `insert into service_accounts (tenant_id, client_id, name, secret_hash, roles, is_enabled)
   values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
);
const select = statement(
  'service_accounts.select',
  `select ${columns} from service_accounts where tenant_id = $1 and id = $2`,
);
const page = statement(
  'service_accounts.page',
  `select ${columns} from service_accounts where tenant_id = $1 order by name, id limit $2 offset $3`,
);
const count = statement(
  'service_accounts.count',
  'select count(*) as total from service_accounts where tenant_id = $1',
);
const update = statement(
  'service_accounts.update',
  `update service_accounts set
     name = coalesce($4, name),
     roles = coalesce($5::text[], roles),
     is_enabled = coalesce($6, is_enabled),
     revision = revision + 1,
     modified_at = now()
   where tenant_id = $1 and id = $2 and ($3::text[] is null or revision::text = any($3))
   returning ${columns}`,
);
const remove = statement(
  'service_accounts.delete',
  `delete from service_accounts
   where tenant_id = $1 and id = $2 and ($3::text[] is null or revision::text = any($3)) returning id`,
);
const byClientId = statement(
  'service_accounts.by_client_id',
  `select tenant_id as "tenantId", id, name, roles, secret_hash as "secretHash"
   from service_accounts where client_id = $1 and is_enabled`,
);

export interface ClientCredentials {
  tenantId: string;
  id: string;
  name: string;
  roles: Role[];
  secretHash: Buffer;
}

export type ServiceAccountRow = NewServiceAccount & { clientId: string; secretHash: Buffer };

export async function insertServiceAccount(
  db: Queryable,
  tenantId: string,
  { clientId, name, secretHash, roles, isEnabled }: ServiceAccountRow,
): Promise<ServiceAccount> {
  const values = [tenantId, clientId, name, secretHash, roles, isEnabled];
  return (await db.query<ServiceAccount>(insert, values))[0]!;
}

export async function selectServiceAccount(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<ServiceAccount | undefined> {
  return (await db.query<ServiceAccount>(select, [tenantId, id]))[0];
}

export async function selectServiceAccounts(
  db: Queryable,
  tenantId: string,
  limit: number,
  offset: number,
): Promise<{ items: ServiceAccount[]; total: number }> {
  const items = await db.query<ServiceAccount>(page, [tenantId, limit, offset]);
  const [counted] = await db.query<{ total: string }>(count, [tenantId]);
  return { items, total: Number(counted!.total) };
}

/** Undefined if it does not exist or `ifMatch` is not its revision. */
export async function updateServiceAccount(
  db: Queryable,
  tenantId: string,
  id: string,
  { name, roles, isEnabled }: ServiceAccountChange,
  ifMatch: IfMatch,
): Promise<ServiceAccount | undefined> {
  return (await db.query<ServiceAccount>(update, [tenantId, id, ifMatch, name, roles, isEnabled]))[0];
}

/** False if it does not exist or `ifMatch` is not its revision. */
export async function deleteServiceAccount(
  db: Queryable,
  tenantId: string,
  id: string,
  ifMatch: IfMatch,
): Promise<boolean> {
  return (await db.query(remove, [tenantId, id, ifMatch])).length > 0;
}

/** An enabled account of any tenant: client ids are unique across tenants. */
export async function credentialsByClientId(
  db: Queryable,
  clientId: string,
): Promise<ClientCredentials | undefined> {
  return (await db.query<ClientCredentials>(byClientId, [clientId]))[0];
}
