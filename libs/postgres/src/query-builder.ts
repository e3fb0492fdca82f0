import createKnex, { type Knex } from 'knex';

/**
 * knex only as a builder of SQL. It has no connection, so `await kx('forms')` fails. Run its queries with
 * `Database.run` or `Tx.run`, so that there is one pool and one kind of transaction.
 */
export const kx: Knex = createKnex({ client: 'pg' });
