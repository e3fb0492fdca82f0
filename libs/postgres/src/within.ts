import type { Queryable, Transactor, Tx } from './database';

/**
 * An open transaction in the place of a database: code that asks for statements or transactions of its own runs as a
 * part of `tx` and is committed, or not, with it. Each call is a savepoint, so that a call that fails undoes only itself, as it
 * would on a database. Calls made at the same time wait for each other.
 */
export function within(tx: Tx): Transactor {
  let last: Promise<unknown> = Promise.resolve();
  /** One after another: savepoints of one connection cannot overlap. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => saved(tx, work));
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    query: <R>(...call: Parameters<Queryable['query']>) => inTurn(() => tx.query<R>(...call)),
    run: <R>(builder: Parameters<Queryable['run']>[0]) => inTurn(() => tx.run<R>(builder)),
    transaction: (fn) =>
      inTurn(async () => {
        const hooks: (() => void)[] = [];
        const result = await fn({
          query: (...call) => tx.query(...call),
          run: (builder) => tx.run(builder),
          copyIn: (...call) => tx.copyIn(...call),
          afterCommit: (hook) => void hooks.push(hook),
        });
        hooks.forEach((hook) => tx.afterCommit(hook));
        return result;
      }),
  };
}

async function saved<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.query('savepoint within_tx');
  try {
    const result = await work();
    await tx.query('release savepoint within_tx');
    return result;
  } catch (error) {
    // Should this fail too, the transaction is lost with its connection, and says so itself.
    await tx.query('rollback to savepoint within_tx').catch(() => undefined);
    throw error;
  }
}
