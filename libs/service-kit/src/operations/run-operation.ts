import { Problem } from '@canvass/errors';
import { parseArgs } from 'node:util';
import type { Operation } from './operation';
import { readOptions, UsageError } from './read-options';
import { table } from './table';

export interface OperatorTerminal {
  /** Receives the rows. */
  output: { write(text: string): unknown };
  /** Receives sentences for the operator. */
  screen: { write(text: string): unknown };
}

/** Exit statuses of operations. */
export const operationStatus = { done: 0, refused: 1, usage: 2, failed: 3 } as const;

/**
 * Runs one of the operations: `ops <name> [options]` on the command line of a service.
 *
 * @param argv the arguments after `ops`
 * @returns the exit status. 0: done. 1: an object does not exist or the operation is not possible. 2: wrong
 * command line, nothing was done. 3: the operation failed, for example because a server does not respond, or
 * found faults
 */
export async function runOperation(
  argv: readonly string[],
  operations: readonly Operation[],
  { output, screen }: OperatorTerminal,
): Promise<number> {
  const say = (sentence: string) => screen.write(`${sentence}\n`);
  try {
    const { words, options } = wordsOf(argv);
    if (words.length === 0 || options.includes('--help')) {
      output.write(usage(below(words, operations)));
      return operationStatus.done;
    }
    const operation = operations.find(({ name }) => name === words.join(' '));
    if (operation === undefined) throw unknown(words, operations);
    const { values, isJson } = readOptions(operation, options);
    const result = await operation.run(values);
    if (isJson) for (const row of result.rows) output.write(`${JSON.stringify(row)}\n`);
    else if (result.rows.length > 0) output.write(table(result.rows));
    if (result.say !== undefined) say(result.say);
    else if (result.rows.length === 0 && operation.changes !== true) say('Nothing found.');
    return result.hasFaults === true ? operationStatus.failed : operationStatus.done;
  } catch (error) {
    if (error instanceof UsageError) {
      say(error.message);
      return operationStatus.usage;
    }
    if (error instanceof Problem && error.status < 500) {
      say(error.message);
      return error.status === 400 ? operationStatus.usage : operationStatus.refused;
    }
    say(`The operation failed: ${reasonOf(error)}`);
    return operationStatus.failed;
  }
}

/** The words of the operation, and what follows them from the first option on. */
function wordsOf(argv: readonly string[]) {
  const { tokens } = parseArgs({ args: [...argv], strict: false, tokens: true });
  const firstOption = tokens.find(({ kind }) => kind !== 'positional')?.index ?? argv.length;
  return { words: argv.slice(0, firstOption), options: argv.slice(firstOption) };
}

/** The operations that begin with these words. @throws {UsageError} if none does */
function below(words: readonly string[], operations: readonly Operation[]): Operation[] {
  const found = operations.filter(({ name }) => words.every((word, n) => name.split(' ')[n] === word));
  if (found.length === 0) throw unknown(words, operations);
  return found;
}

function unknown(words: readonly string[], operations: readonly Operation[]): UsageError {
  const names = operations.map(({ name }) => name).join(', ');
  return new UsageError(`Unknown operation "${words.join(' ')}"; operations: ${names}.`);
}

function usage(operations: readonly Operation[]): string {
  return operations
    .map(({ name, about, changes, options = {} }) => {
      const lines = Object.entries(options).map(([option, { about: words, kind, isRequired, otherwise }]) => {
        const value = kind === 'flag' ? '' : typeof kind === 'string' ? ` <${kind}>` : ` <${kind.join('|')}>`;
        const note = isRequired ? ' (required)' : otherwise === undefined ? '' : ` (default ${otherwise})`;
        return `    --${`${option}${value}`.padEnd(38)} ${words}${note}\n`;
      });
      return `ops ${name.padEnd(24)} ${about}${changes ? ' Needs --yes.' : ''}\n${lines.join('')}`;
    })
    .join('')
    .concat('Options of every operation: --json (one JSON text per line), --help.\n');
}

/**
 * The message of an error. A refused connection is an AggregateError without a message, with one error per
 * address.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
