import { statement, type Queryable } from '@canvass/postgres';

type Key = { tenantId: string; userId: string };
const key = 'tenant_id = $tenantId and user_id = $userId';

/** A second factor as it is stored. */
export interface SecondFactor {
  /** Sealed. */
  secret: string;
  isConfirmed: boolean;
  recoveryCodesLeft: number;
}

const select = statement<Key, SecondFactor>(
  'second_factors.select',
  `select secret, confirmed_at is not null as "isConfirmed", cardinality(recovery_hashes) as "recoveryCodesLeft"
   from second_factors where ${key}`,
);
const begin = statement<Key & { secret: string }>(
  'second_factors.begin',
  `insert into second_factors as f (tenant_id, user_id, secret) values ($tenantId, $userId, $secret)
   on conflict (tenant_id, user_id) do update set secret = excluded.secret, last_step = 0
     where f.confirmed_at is null
   returning 1`,
);
const confirm = statement<Key & { secret: string; step: number; hashes: Buffer[] }>(
  'second_factors.confirm',
  `update second_factors set confirmed_at = now(), last_step = $step, recovery_hashes = $hashes::bytea[]
   where ${key} and secret = $secret and confirmed_at is null returning 1`,
);
const useStep = statement<Key & { step: number }>(
  'second_factors.use_step',
  `update second_factors set last_step = $step where ${key} and last_step < $step returning 1`,
);
const useRecovery = statement<Key & { hash: Buffer }>(
  'second_factors.use_recovery',
  `update second_factors set recovery_hashes = array_remove(recovery_hashes, $hash::bytea)
   where ${key} and $hash::bytea = any(recovery_hashes) returning 1`,
);
const remove = statement<Key>('second_factors.remove', `delete from second_factors where ${key} returning 1`);

export async function selectSecondFactor(db: Queryable, user: Key): Promise<SecondFactor | undefined> {
  return (await db.query(select(user)))[0];
}

/** Stores a secret that is not confirmed yet. False if the user has a confirmed one. */
export async function beginSecondFactor(db: Queryable, user: Key, secret: string): Promise<boolean> {
  return (await db.query(begin({ ...user, secret }))).length > 0;
}

/** False if the secret was replaced or confirmed meanwhile. */
export async function confirmSecondFactor(
  db: Queryable,
  user: Key,
  confirmed: { secret: string; step: number; hashes: Buffer[] },
): Promise<boolean> {
  return (await db.query(confirm({ ...user, ...confirmed }))).length > 0;
}

/** Uses up the code of a time step. False if it or a later one was used before. */
export async function useTimeStep(db: Queryable, user: Key, step: number): Promise<boolean> {
  return (await db.query(useStep({ ...user, step }))).length > 0;
}

/** Uses up a recovery code. False if the user has none with that hash. */
export async function useRecoveryCode(db: Queryable, user: Key, hash: Buffer): Promise<boolean> {
  return (await db.query(useRecovery({ ...user, hash }))).length > 0;
}

/** False if the user has none. */
export async function removeSecondFactor(db: Queryable, user: Key): Promise<boolean> {
  return (await db.query(remove(user))).length > 0;
}
