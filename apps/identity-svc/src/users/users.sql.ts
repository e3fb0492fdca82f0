import type { Role } from '@canvass/auth';
import { readKeyPage, statement, type KeyOrder, type Queryable } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import type { NewUser, User } from './user';

const columns = `id, email, name, roles, is_enabled as "isEnabled", revision,
  created_at as "createdAt", modified_at as "modifiedAt", last_sign_in_at as "lastSignInAt"`;

const insert = statement<
  {
    tenantId: string;
    email: string;
    name: string | null;
    passwordHash: string;
    roles: Role[];
    isEnabled: boolean;
    byOperator: boolean;
  },
  User
>(
  'users.insert',
  `insert into users (tenant_id, email, name, password_hash, roles, is_enabled, mailbox_proved_at)
   values ($tenantId, $email, $name, $passwordHash, $roles, $isEnabled, case when $byOperator then now() end)
   returning ${columns}`,
);
const one = `select ${columns} from users where tenant_id = $tenantId and id = $id`;
const select = statement<{ tenantId: string; id: string }, User>('users.select', one);
const lock = statement<{ tenantId: string; id: string }, User>('users.lock', `${one} for update`);
const lockTenant = statement<{ tenantId: string }>(
  'users.lock_tenant',
  'select from tenants where id = $tenantId for update',
);
const matching = `tenant_id = $tenantId and ($search = '' or strpos(fold(email || ' ' || coalesce(name, '')), fold($search)) > 0)`;
const all = statement<{ tenantId: string; search: string }, User>(
  'users.all',
  `select ${columns}, email as key from users where ${matching}`,
);
const update = statement<
  {
    tenantId: string;
    id: string;
    email: string | undefined;
    setsName: boolean;
    name: string | null | undefined;
    passwordHash: string | undefined;
    roles: Role[] | undefined;
    isEnabled: boolean | undefined;
  },
  User
>(
  'users.update',
  `update users set
     email = coalesce($email, email),
     name = case when $setsName then $name else name end,
     password_hash = coalesce($passwordHash, password_hash),
     roles = coalesce($roles::text[], roles),
     is_enabled = coalesce($isEnabled, is_enabled),
     mailbox_proved_at = case when $passwordHash is null and coalesce($email, email) = email then mailbox_proved_at end,
     may_enrol_until = case when $passwordHash is null and coalesce($email, email) = email then may_enrol_until end,
     credentials_version = credentials_version + case when $passwordHash is not null or $isEnabled is false then 1 else 0 end,
     revision = revision + 1,
     modified_at = now()
   where tenant_id = $tenantId and id = $id
   returning ${columns}`,
);
const remove = statement<{ tenantId: string; id: string }>(
  'users.delete',
  'delete from users where tenant_id = $tenantId and id = $id',
);
const tenantName = statement<{ tenantId: string }, { name: string }>(
  'users.tenant_name',
  'select name from tenants where id = $tenantId',
);
const administrators = statement<{ tenantId: string }, { total: string }>(
  'users.administrators',
  `select count(*) as total from users where tenant_id = $tenantId and is_enabled and 'Admin' = any(roles)`,
);
const credentials = `select tenant_id as "tenantId", id, email, name, roles, is_enabled as "isEnabled",
    password_hash as "passwordHash", credentials_version as "credentialsVersion",
    token_version as "tokenVersion", mailbox_proved_at is not null as "isMailboxProved",
    coalesce(may_enrol_until > now(), false) as "mayEnrol",
    exists (select from second_factors f where f.tenant_id = users.tenant_id and f.user_id = users.id
      and f.confirmed_at is not null) as "hasSecondFactor" from users`;
const byEmail = statement<{ email: string; tenant: string | null }, UserCredentials>(
  'users.credentials_by_email',
  `${credentials} where email = $email and ($tenant::text is null
     or tenant_id in (select t.id from tenants t where t.name = $tenant or t.id::text = $tenant))
   order by last_sign_in_at desc nulls last, id`,
);
const byId = statement<{ tenantId: string; id: string }, UserCredentials>(
  'users.credentials_by_id',
  `${credentials} where tenant_id = $tenantId and id = $id`,
);
const rehash = statement<{ tenantId: string; id: string; oldHash: string; newHash: string }>(
  'users.rehash',
  'update users set password_hash = $newHash where tenant_id = $tenantId and id = $id and password_hash = $oldHash',
);
const changePassword = statement<
  { tenantId: string; id: string; oldHash: string; newHash: string },
  { credentialsVersion: number }
>(
  'users.change_password',
  `update users set password_hash = $newHash, credentials_version = credentials_version + 1, revision = revision + 1,
     modified_at = now()
   where tenant_id = $tenantId and id = $id and password_hash = $oldHash and is_enabled
   returning credentials_version as "credentialsVersion"`,
);

const linkUsed = statement<{ tenantId: string; id: string; delivery: Delivery }>(
  'users.link_used',
  `update users set may_enrol_until = now() + interval '1 hour',
     mailbox_proved_at = case $delivery when 'mail' then now() when 'operator' then mailbox_proved_at end
   where tenant_id = $tenantId and id = $id`,
);
const signIn = statement<{ tenantId: string; id: string }>(
  'users.sign_in',
  `update users set last_sign_in_at = now()
   where tenant_id = $tenantId and id = $id
     and (last_sign_in_at is null or last_sign_in_at < now() - interval '1 minute')`,
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
  tokenVersion: number;
  /** A sign-in needs a code. */
  hasSecondFactor: boolean;
  isMailboxProved: boolean;
  /** A second factor that a role requires may be set up now. */
  mayEnrol: boolean;
}

export type UserRow = Omit<NewUser, 'password'> & { passwordHash: string };

/** @param byOperator the mailbox counts as proved: the operator is trusted above tenants */
export async function insertUser(
  db: Queryable,
  tenantId: string,
  user: UserRow,
  { byOperator = false } = {},
): Promise<User> {
  const { email, name, passwordHash, roles, isEnabled } = user;
  const rows = await db.query(insert({ tenantId, email, name, passwordHash, roles, isEnabled, byOperator }));
  return rows[0]!;
}

/** The one who could read a link before its user: only the mailbox, an administrator, or the operator. */
export type Delivery = 'mail' | 'shown' | 'operator';

/**
 * Notes that a password was set with a link. Only a link that was in the mailbox alone proves it; one that an
 * administrator could use does not, and the operator's leaves it as it was. Each is more than a password, so
 * that a second factor may be set up.
 */
export async function noteLink(
  tx: Queryable,
  tenantId: string,
  id: string,
  delivery: Delivery,
): Promise<void> {
  await tx.query(linkUsed({ tenantId, id, delivery }));
}

/** Lets a user set up a second factor that a role requires, for an hour. */
export async function allowEnrolment(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query(linkUsed({ tenantId, id, delivery: 'operator' }));
}

/** Stores the time of a sign-in, at most once a minute. */
export async function noteSignIn(db: Queryable, tenantId: string, id: string): Promise<void> {
  await db.query(signIn({ tenantId, id }));
}

export async function selectUser(db: Queryable, tenantId: string, id: string): Promise<User | undefined> {
  return (await db.query(select({ tenantId, id })))[0];
}

/**
 * Also locks the tenant: this serializes changes of its users, so that the last administrator can be
 * identified.
 */
export async function lockUser(tx: Queryable, tenantId: string, id: string): Promise<User | undefined> {
  await tx.query(lockTenant({ tenantId }));
  return (await tx.query(lock({ tenantId, id })))[0];
}

const byEmailAddress: KeyOrder = { name: 'email', direction: 'asc', key: { type: 'text' } };

/** The users of a tenant, by address. @throws {Problem} `validation_failed` for the cursor */
export function selectUsers(
  db: Queryable,
  tenantId: string,
  { search, ...window }: KeyQuery & { search: string },
): Promise<KeyPage<User>> {
  return readKeyPage(db, all({ tenantId, search }), byEmailAddress, window, (user) => user);
}

export async function updateUser(
  tx: Queryable,
  tenantId: string,
  id: string,
  change: Partial<UserRow>,
): Promise<User> {
  const { email, name, passwordHash, roles, isEnabled } = change;
  const setsName = name !== undefined;
  const changed = update({ tenantId, id, email, setsName, name, passwordHash, roles, isEnabled });
  return (await tx.query(changed))[0]!;
}

export async function deleteUser(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query(remove({ tenantId, id }));
}

export async function countAdministrators(tx: Queryable, tenantId: string): Promise<number> {
  return Number((await tx.query(administrators({ tenantId })))[0]!.total);
}

/**
 * The users with an e-mail address in lower case, the last signed in first. `tenant` is the id or the name of
 * their tenant; null: of all tenants.
 */
export async function credentialsByEmail(
  db: Queryable,
  email: string,
  tenant: string | null,
): Promise<UserCredentials[]> {
  return db.query(byEmail({ email, tenant }));
}

export async function credentialsById(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<UserCredentials | undefined> {
  return (await db.query(byId({ tenantId, id })))[0];
}

const hashChange = ({ tenantId, id, passwordHash: oldHash }: UserCredentials, newHash: string) => ({
  tenantId,
  id,
  oldHash,
  newHash,
});

/** Replaces a hash with outdated cost parameters, unless the password was changed meanwhile. */
export async function replaceHash(db: Queryable, user: UserCredentials, passwordHash: string): Promise<void> {
  await db.query(rehash(hashChange(user, passwordHash)));
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
  return (await db.query(changePassword(hashChange(user, passwordHash))))[0]?.credentialsVersion;
}

export async function selectTenantName(db: Queryable, tenantId: string): Promise<string | undefined> {
  return (await db.query(tenantName({ tenantId })))[0]?.name;
}
