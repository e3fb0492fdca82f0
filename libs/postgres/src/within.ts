import type { Queryable, Transactor, Tx } from './database';

/**
 * An open transaction in the place of a database. Statements and transactions of the caller become part of
 * `tx` and are committed or rolled back with it. Each call is a savepoint, so a failed call reverts only
 * itself. Concurrent calls wait for each other.
 */
export function within(tx: Tx): Transactor {
  let last: Promise<unknown> = Promise.resolve();
  /** Serializes calls: savepoints of one connection cannot overlap. */
  const serialized = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(() => saved(tx, work));
    last = result.catch(() => undefined);
    return result;
  };
  return {
    query: (sql, values) => serialized(() => tx.query(sql, values)),
    run: <R>(builder: Parameters<Queryable['run']>[0]) => serialized(() => tx.run<R>(builder)),
    transaction: (fn, { maxStatementMs } = {}) =>
      serialized(async () => {
        const hooks: (() => void)[] = [];
        if (maxStatementMs !== undefined) await tx.limitStatements(maxStatementMs);
        const result = await fn({
          query: (...call) => tx.query(...call),
          run: (builder) => tx.run(builder),
          copyIn: (...call) => tx.copyIn(...call),
          limitStatements: (ms) => tx.limitStatements(ms),
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
    // If this fails, too, the transaction is lost with its connection, and its next statement reports that.
    await tx.query('rollback to savepoint within_tx').catch(() => undefined);
    throw error;
  }
}
