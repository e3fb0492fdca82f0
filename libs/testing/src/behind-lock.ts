import { eventually } from './eventually';

interface Queries {
  query(sql: string, values?: readonly unknown[]): Promise<unknown[]>;
}

interface Transactions extends Queries {
  transaction<T>(fn: (tx: Queries) => Promise<T>): Promise<T>;
}

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * Makes a race deterministic. A transaction takes the locks of `hold`. Then `racers` are started one by one,
 * each after the previous one waits for a lock. Then the transaction runs `meanwhile` and commits. The racers
 * continue in their order, each in a statement whose snapshot is older than the commit.
 *
 * @returns the results of the racers, in their order
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
      const started = race();
      started.catch(() => undefined); // `Promise.all` below reports the error
      racing.push(started);
      await eventually(async () => (await db.query(waiting)).length >= racing.length, {
        message: `${racing.length} statements that wait for a lock`,
      });
    }
    await meanwhile(tx);
    return { racing };
  });
  return Promise.all(racing);
}
