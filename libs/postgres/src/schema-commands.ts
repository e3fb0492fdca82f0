import { parseArgs } from 'node:util';
import { migrate, type MigrateOptions, type Migration } from './migrate';
import { migrationLogin, type MigrationLogin, type MigrationUrls } from './migration-login';
import { partitionByTenant } from './partition-by-tenant';

/** A command of a process, the shape of service-kit's `ServiceCommand`. */
type Command = (argv: string[], config: { Database: MigrationUrls }) => Promise<number>;

/** The place where a command writes: the process, or what a test reads. */
interface Terminal {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

type Say = (line: string) => void;

/** The command line is wrong; nothing was done. */
class UsageError extends Error {}

/**
 * `main.js migrate`: applies the missing migrations.
 *
 * - `--to <name>` applies those up to and including this one.
 * - `--undo` reverts the newest migration of this build, without which every running replica can work
 *   (decision 0015). Repeated, it changes nothing.
 *
 * Exit status: 0 if the schema has this state now, 1 if it failed, 2 for a wrong command line.
 */
export const migrateCommand = (migrations: readonly Migration[], terminal: Terminal = process): Command =>
  commandOf('migrate [--to <name> | --undo]', terminal, async (argv, { url, grantTo }, say) => {
    const options = migrateOptions(argv, migrations);
    const onWait = (reason: string) => say(`Waiting: ${reason}`);
    const names = await migrate(url, migrations, { ...options, ...grantTo, onWait });
    const verb = options.direction === 'down' ? 'Reverted' : 'Applied';
    for (const name of names) say(`${verb} ${name}.`);
    if (names.length === 0) say('There is nothing to do.');
  });

function migrateOptions(argv: string[], migrations: readonly Migration[]): MigrateOptions {
  const { to, undo } = orUsage(
    () =>
      parseArgs({ args: argv, options: { to: { type: 'string' }, undo: { type: 'boolean' }, config } })
        .values,
  );
  if (to !== undefined && undo) throw new UsageError('Only one of --to and --undo is possible.');
  if (to !== undefined && !migrations.some(({ name }) => name === to))
    throw new UsageError(`There is no migration ${to}.`);
  if (!undo) return to === undefined ? {} : { to };
  const previous = migrations.at(-2);
  if (previous === undefined)
    throw new UsageError('This build has one migration, the schema; it is not reverted.');
  return { direction: 'down', to: previous.name };
}

/**
 * `main.js partition <count>`: partitions the large tables by tenant (`partitionByTenant`). Exit status as of
 * `migrate`.
 *
 * @param tables in the order of their references
 */
export const partitionCommand = (tables: readonly string[], terminal: Terminal = process): Command =>
  commandOf('partition <number of partitions, 2 to 256>', terminal, async (argv, { url, grantTo }, say) => {
    const [text = '', ...more] = orUsage(
      () => parseArgs({ args: argv, allowPositionals: true, options: { config } }).positionals,
    );
    const count = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
    if (!(count >= 2 && count <= 256) || more.length > 0)
      throw new UsageError('One number is needed, 2 to 256.');
    await partitionByTenant(url, tables, count);
    await migrate(url, [], grantTo); // the rights on the new tables
    say(`Partitioned ${tables.join(', ')}: ${count} partitions each.`);
  });

/** `--config <file>` has been read with the configuration. */
const config = { type: 'string' } as const;

function commandOf(
  usage: string,
  { stdout, stderr }: Terminal,
  work: (argv: string[], login: MigrationLogin, say: Say) => Promise<void>,
): Command {
  return async (argv, { Database }) => {
    try {
      await work(argv, migrationLogin(Database), (line) => stdout.write(`${line}\n`));
      return 0;
    } catch (error) {
      const isUsage = error instanceof UsageError;
      const reason = error instanceof Error ? error.message : String(error);
      stderr.write(`${reason}\n${isUsage ? `Usage: ${usage}\n` : ''}`);
      return isUsage ? 2 : 1;
    }
  };
}

function orUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
