import createKnex, { type Knex } from 'knex';

/**
 * knex as a builder of SQL only: it has no connection, so `await kx('forms')` fails. Run what it builds through
 * `Database.run` or `Tx.run`; then there is one pool and one kind of transaction.
 */
export const kx: Knex = createKnex({ client: 'pg' });
