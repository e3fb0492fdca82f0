import { eventually } from './eventually';

interface Queries {
  query(sql: string, values?: readonly unknown[]): Promise<unknown[]>;
}

interface Transactions extends Queries {
  transaction<T>(fn: (tx: Queries) => Promise<T>): Promise<T>;
}

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * Races without luck: starts `racers` while a transaction holds what `hold` locks, each when the one before it waits for a
 * lock, then runs `meanwhile` and commits. They go on in their order, each in a statement whose snapshot is from before.
 *
 * @returns what they give, in their order
 */
export async function behindLock<T>(
  db: Transactions,
  hold: (tx: Queries) => Promise<unknown>,
  racers: readonly (() => Promise<T>)[],
  meanwhile: (tx: Queries) => Promise<unknown> = () => Promise.resolve(),
): Promise<T[]> {
  const { racing } = await db.transaction(async (tx) => {
    await hold(tx);
    const racing: Promise<T>[] = [];
    for (const race of racers) {
      const begun = race();
      begun.catch(() => undefined); // told to whoever awaits the answer
      racing.push(begun);
      await eventually(async () => (await db.query(waiting)).length >= racing.length, {
        message: `${racing.length} statements that wait for a lock`,
      });
    }
    await meanwhile(tx);
    return { racing };
  });
  return Promise.all(racing);
}
