import type pg from 'pg';

/**
 * Postgres cancels a statement at its limit and says so. If no response arrives for this much longer, the
 * server has vanished without a reset.
 */
const silenceMs = 5_000;

/**
 * The time within which a statement must have a response, in milliseconds.
 *
 * @param statementMs the limit of Postgres; 0 means no limit
 */
export const answerLimit = (statementMs: number): number | undefined =>
  statementMs === 0 ? undefined : statementMs + silenceMs;

/** Adds a limit of the client to a query. After it the query fails with "Query read timeout". */
export const limitedTo = <Config extends pg.QueryConfig | pg.Submittable>(
  answerMs: number | undefined,
  config: Config,
): Config => (answerMs === undefined ? config : Object.assign(config, { query_timeout: answerMs }));
