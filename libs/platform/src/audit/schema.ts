import path from 'node:path';

/** The tables, as a file for `schemaMigration`. */
export const auditSchema = path.join(__dirname, 'audit.schema.sql');
