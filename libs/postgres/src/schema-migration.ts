import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Knex } from 'knex';
import { serverMessage, type Migration } from './migrate';

/** Creates `next_id()`; needs the origin of the schema. */
export const nextIdSchema = path.join(__dirname, 'next-id.schema.sql');
/** Creates `fold(text)`, which `contains` needs. */
export const foldSchema = path.join(__dirname, 'fold.schema.sql');
/** Creates `idempotency_keys`. */
export const idempotencySchema = path.join(__dirname, 'idempotency.schema.sql');

/**
 * Makes the first migration of a service: its schema, from SQL files. Bundles have the files beside them.
 *
 * @param files in the order in which they are loaded; a name without a suffix is a folder of them
 * @param origin a number 0–7, which keeps the ids of the service apart from those of others
 */
export function schemaMigration(files: readonly string[], origin: number): Migration {
  if (!Number.isInteger(origin) || origin < 0 || origin > 7) throw new Error('The origin is a number 0–7.');
  const read = (file: string) => readFileSync(file, 'utf8').replaceAll(':origin', String(origin));
  return {
    name: '0001_schema',
    sql: () => filesIn(files).map(read).join('\n'),
    async up(knex) {
      await assertFirst(knex);
      // A function may name one of a later file.
      await knex.raw('set local check_function_bodies = off');
      for (const file of filesIn(files)) await load(knex, file, read(file));
    },
    down: () => Promise.reject(new Error('The schema itself is not reverted. Drop the database instead.')),
  };
}

const filesIn = (files: readonly string[]): string[] =>
  files.flatMap((file) =>
    path.extname(file) === ''
      ? readdirSync(file)
          .sort()
          .map((name) => path.join(file, name))
      : [file],
  );

/** Adds the file to the error, and the line if Postgres names one. The error may still be retried. */
async function load(knex: Knex, file: string, sql: string): Promise<void> {
  await knex.raw(sql).catch((error: Error & { position?: string }) => {
    const line = sql.slice(0, Number(error.position)).split('\n').length;
    const place = error.position === undefined ? '' : `, line ${line}`;
    error.message = `${path.basename(file)}${place}: ${serverMessage(error)}`;
    throw error;
  });
}

/** @throws {Error} if a build before version 0.1.0 made the schema */
async function assertFirst(knex: Knex): Promise<void> {
  const { rows } = (await knex.raw('select from knex_migrations limit 1')) as { rows: object[] };
  if (rows.length > 0)
    throw new Error('A build before version 0.1.0 made this schema. Drop the database, or use another one.');
}
