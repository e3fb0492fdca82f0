import { statement, type Queryable } from '@canvass/postgres';

const insert = statement(
  'tenants.insert',
  'insert into tenants (name) values ($1) on conflict (name) do nothing returning id',
);
const exists = statement('tenants.exists', 'select from tenants where name = $1');
const name = statement('tenants.name', 'select name from tenants where id = $1');

/** The id of the new tenant; undefined if another replica created it first. */
export async function insertTenant(db: Queryable, tenantName: string): Promise<string | undefined> {
  return (await db.query<{ id: string }>(insert, [tenantName]))[0]?.id;
}

export async function tenantExists(db: Queryable, tenantName: string): Promise<boolean> {
  return (await db.query(exists, [tenantName])).length > 0;
}

/** Undefined for a tenant that only an external provider knows. */
export async function tenantName(db: Queryable, tenantId: string): Promise<string | undefined> {
  return (await db.query<{ name: string }>(name, [tenantId]))[0]?.name;
}
