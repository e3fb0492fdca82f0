import path from 'node:path';

/** The tables, as a file for `schemaMigration`. */
export const quotasSchema = path.join(__dirname, 'quotas.schema.sql');
