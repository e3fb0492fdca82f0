import path from 'node:path';

/** The tables, as a file for `schemaMigration`. */
export const healthLogSchema = path.join(__dirname, 'health-log.schema.sql');
