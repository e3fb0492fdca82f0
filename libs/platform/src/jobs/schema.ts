import path from 'node:path';

/** The tables, as a file for `schemaMigration`. */
export const jobsSchema = path.join(__dirname, 'jobs.schema.sql');
