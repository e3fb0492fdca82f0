import type pg from 'pg';

/** The longest wait for a share, in milliseconds; as long as the pool waits for a connection. */
const longestWaitMs = 5_000;

interface Waiting {
  owner: string;
  go(): void;
}

/** The connections of a pool, as they are divided among owners (tenants). */
interface Shares {
  readonly most: number;
  ownerOf(): string | undefined;
  inUse: number;
  /** Number of connections by owner. */
  readonly held: Map<string, number>;
  /** In the order of their arrival. */
  readonly waiting: Set<Waiting>;
  readonly owners: WeakMap<pg.PoolClient, string | undefined>;
}

const sharesOfPool = new WeakMap<pg.Pool, Shares>();

/**
 * From now on `connectFairly` divides the connections of the pool. An owner gets half of them at any time. It
 * gets more only while no other owner waits, and never the last fifth, so that the first call of another
 * owner finds a free connection. Calls without an owner are those of the process itself and do not wait for a
 * share.
 *
 * @param ownerOf the owner of the current call
 */
export function shareConnections(pool: pg.Pool, ownerOf: () => string | undefined): void {
  const shares: Shares = {
    most: pool.options.max,
    ownerOf,
    inUse: 0,
    held: new Map(),
    waiting: new Set(),
    owners: new WeakMap(),
  };
  sharesOfPool.set(pool, shares);
  pool.on('release', (_error, client) => {
    if (!shares.owners.has(client)) return;
    const owner = shares.owners.get(client);
    shares.owners.delete(client);
    giveBack(shares, owner);
  });
}

/**
 * A connection of the pool, when the share of the owner permits it.
 *
 * @throws the error of an exhausted pool after 5 s
 */
export async function connectFairly(pool: pg.Pool): Promise<pg.PoolClient> {
  const shares = sharesOfPool.get(pool);
  if (shares === undefined) return pool.connect();
  const owner = shares.ownerOf();
  if (owner === undefined || mayTake(shares, owner)) take(shares, owner);
  else await waitForShare(shares, owner);
  try {
    const client = await pool.connect();
    shares.owners.set(client, owner);
    return client;
  } catch (error) {
    giveBack(shares, owner);
    throw error;
  }
}

/** The owner of the current call, if connections of the pool are shared. */
export const ownerOfCall = (pool: pg.Pool): string | undefined => sharesOfPool.get(pool)?.ownerOf();

/** Number of calls that wait for a share. They do not wait in the pool yet. */
export const waitingForShare = (pool: pg.Pool): number => sharesOfPool.get(pool)?.waiting.size ?? 0;

const hasHalf = ({ held, most }: Shares, owner: string): boolean =>
  (held.get(owner) ?? 0) >= Math.max(1, Math.floor(most / 2));

/** Whether owners that have their half may take a connection. */
const hasSpare = ({ inUse, most }: Shares): boolean => most - inUse > Math.floor(most / 5);

const mayTake = (shares: Shares, owner: string): boolean =>
  shares.inUse < shares.most && (!hasHalf(shares, owner) || (shares.waiting.size === 0 && hasSpare(shares)));

function take(shares: Shares, owner: string | undefined): void {
  shares.inUse += 1;
  if (owner !== undefined) shares.held.set(owner, (shares.held.get(owner) ?? 0) + 1);
}

function giveBack(shares: Shares, owner: string | undefined): void {
  shares.inUse -= 1;
  if (owner !== undefined) {
    const left = (shares.held.get(owner) ?? 0) - 1;
    if (left > 0) shares.held.set(owner, left);
    else shares.held.delete(owner);
  }
  if (shares.inUse >= shares.most) return;
  nextOf(shares)?.go();
}

/** The first that does not have its half, else the first of all if there is a connection to spare. */
function nextOf(shares: Shares): Waiting | undefined {
  for (const other of shares.waiting) if (!hasHalf(shares, other.owner)) return other;
  return hasSpare(shares) ? shares.waiting.values().next().value : undefined;
}

/** Resolves when the share is taken. */
const waitForShare = (shares: Shares, owner: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      shares.waiting.delete(waiting);
    };
    const waiting: Waiting = {
      owner,
      go() {
        leave();
        take(shares, owner);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      leave();
      reject(new Error('timeout exceeded when trying to connect: the tenant has its share'));
    }, longestWaitMs);
    shares.waiting.add(waiting);
  });
