import { statement, type Queryable } from '@canvass/postgres';

const insert = statement<{ name: string }, { id: string }>(
  'tenants.insert',
  'insert into tenants (name) values ($name) on conflict (name) do nothing returning id',
);
const exists = statement<{ name: string }>('tenants.exists', 'select from tenants where name = $name');
const name = statement<{ tenantId: string }, { name: string }>(
  'tenants.name',
  'select name from tenants where id = $tenantId',
);

const list = statement<void, { id: string; name: string; createdAt: Date; users: string }>(
  'tenants.list',
  `select t.id, t.name, t.created_at as "createdAt",
     (select count(*) from users u where u.tenant_id = t.id) as users
   from tenants t order by t.id`,
);
const several = statement<void, { several: boolean }>(
  'tenants.several',
  'select count(*) > 1 as several from (select from tenants limit 2) t',
);

/** The id of the new tenant; undefined if another replica created it first. */
export async function insertTenant(db: Queryable, tenantName: string): Promise<string | undefined> {
  return (await db.query(insert({ name: tenantName })))[0]?.id;
}

export async function tenantExists(db: Queryable, tenantName: string): Promise<boolean> {
  return (await db.query(exists({ name: tenantName }))).length > 0;
}

/** Undefined for a tenant that only an external provider knows. */
export async function tenantName(db: Queryable, tenantId: string): Promise<string | undefined> {
  return (await db.query(name({ tenantId })))[0]?.name;
}

export async function hasSeveralTenants(db: Queryable): Promise<boolean> {
  return (await db.query(several()))[0]!.several;
}

/** All tenants, the first created first. */
export async function selectTenants(
  db: Queryable,
): Promise<{ id: string; name: string; createdAt: Date; users: string }[]> {
  return db.query(list());
}
