import type { Role } from '@canvass/auth';
import { statement, type Queryable } from '@canvass/postgres';
import type { NewUser, User } from './user';

const columns = `id, email, name, roles, is_enabled as "isEnabled", revision,
  created_at as "createdAt", modified_at as "modifiedAt"`;

const insert = statement(
  'users.insert',
  `insert into users (tenant_id, email, name, password_hash, roles, is_enabled)
   values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
);
const select = statement('users.select', `select ${columns} from users where tenant_id = $1 and id = $2`);
const lock = statement('users.lock', `${select.text} for update`);
const lockTenant = statement('users.lock_tenant', 'select from tenants where id = $1 for update');
const matching = `tenant_id = $1 and ($2 = '' or position(lower($2) in email || ' ' || lower(coalesce(name, ''))) > 0)`;
const page = statement(
  'users.page',
  `select ${columns} from users where ${matching} order by email, id limit $3 offset $4`,
);
const count = statement('users.count', `select count(*) as total from users where ${matching}`);
const update = statement(
  'users.update',
  `update users set
     email = coalesce($3, email),
     name = case when $4 then $5 else name end,
     password_hash = coalesce($6, password_hash),
     roles = coalesce($7::text[], roles),
     is_enabled = coalesce($8, is_enabled),
     credentials_version = credentials_version + case when $6 is not null or $8 is false then 1 else 0 end,
     revision = revision + 1,
     modified_at = now()
   where tenant_id = $1 and id = $2
   returning ${columns}`,
);
const remove = statement('users.delete', 'delete from users where tenant_id = $1 and id = $2');
const administrators = statement(
  'users.administrators',
  `select count(*) as total from users where tenant_id = $1 and is_enabled and 'Admin' = any(roles)`,
);
const credentials = `select tenant_id as "tenantId", id, email, name, roles, is_enabled as "isEnabled",
    password_hash as "passwordHash", credentials_version as "credentialsVersion" from users`;
const byEmail = statement('users.credentials_by_email', `${credentials} where email = $1`);
const byId = statement('users.credentials_by_id', `${credentials} where tenant_id = $1 and id = $2`);
const rehash = statement(
  'users.rehash',
  'update users set password_hash = $4 where tenant_id = $1 and id = $2 and password_hash = $3',
);
const changePassword = statement(
  'users.change_password',
  `update users set password_hash = $4, credentials_version = credentials_version + 1, revision = revision + 1,
     modified_at = now()
   where tenant_id = $1 and id = $2 and password_hash = $3 and is_enabled
   returning credentials_version as "credentialsVersion"`,
);

/** The data that a sign-in needs. */
export interface UserCredentials {
  tenantId: string;
  id: string;
  email: string;
  name: string | null;
  roles: Role[];
  isEnabled: boolean;
  passwordHash: string;
  credentialsVersion: number;
}

export type UserRow = Omit<NewUser, 'password'> & { passwordHash: string };

export async function insertUser(db: Queryable, tenantId: string, user: UserRow): Promise<User> {
  const { email, name, passwordHash, roles, isEnabled } = user;
  const rows = await db.query<User>(insert, [tenantId, email, name, passwordHash, roles, isEnabled]);
  return rows[0]!;
}

export async function selectUser(db: Queryable, tenantId: string, id: string): Promise<User | undefined> {
  return (await db.query<User>(select, [tenantId, id]))[0];
}

/**
 * Also locks the tenant: this serializes changes of its users, so that the last administrator can be
 * identified.
 */
export async function lockUser(tx: Queryable, tenantId: string, id: string): Promise<User | undefined> {
  await tx.query(lockTenant, [tenantId]);
  return (await tx.query<User>(lock, [tenantId, id]))[0];
}

export async function selectUsers(
  db: Queryable,
  tenantId: string,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<{ items: User[]; total: number }> {
  const items = await db.query<User>(page, [tenantId, search, limit, offset]);
  const [counted] = await db.query<{ total: string }>(count, [tenantId, search]);
  return { items, total: Number(counted!.total) };
}

export async function updateUser(
  tx: Queryable,
  tenantId: string,
  id: string,
  change: Partial<UserRow>,
): Promise<User> {
  const { email, name, passwordHash, roles, isEnabled } = change;
  const values = [tenantId, id, email, name !== undefined, name, passwordHash, roles, isEnabled];
  return (await tx.query<User>(update, values))[0]!;
}

export async function deleteUser(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query(remove, [tenantId, id]);
}

export async function countAdministrators(tx: Queryable, tenantId: string): Promise<number> {
  return Number((await tx.query<{ total: string }>(administrators, [tenantId]))[0]!.total);
}

/** By e-mail address in lower case, across tenants, because a login names no tenant. */
export async function credentialsByEmail(db: Queryable, email: string): Promise<UserCredentials | undefined> {
  return (await db.query<UserCredentials>(byEmail, [email]))[0];
}

export async function credentialsById(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<UserCredentials | undefined> {
  return (await db.query<UserCredentials>(byId, [tenantId, id]))[0];
}

/** Replaces a hash with outdated cost parameters, unless the password was changed meanwhile. */
export async function replaceHash(db: Queryable, user: UserCredentials, passwordHash: string): Promise<void> {
  await db.query(rehash, [user.tenantId, user.id, user.passwordHash, passwordHash]);
}

/**
 * Sets a new password, which invalidates all refresh tokens. Returns the new credentials version, or
 * undefined if the user was changed meanwhile.
 */
export async function replacePassword(
  db: Queryable,
  user: UserCredentials,
  passwordHash: string,
): Promise<number | undefined> {
  const values = [user.tenantId, user.id, user.passwordHash, passwordHash];
  return (await db.query<{ credentialsVersion: number }>(changePassword, values))[0]?.credentialsVersion;
}
