import path from 'node:path';

/** The tables, as a file for `schemaMigration`. */
export const outboxSchema = path.join(__dirname, 'outbox.schema.sql');
