import { Problem } from '@canvass/errors';
import { parseArgs } from 'node:util';
import type { Operation } from './operation';
import { readOptions, UsageError } from './read-options';
import { table } from './table';

export interface OperatorTerminal {
  /** Rows. */
  output: { write(text: string): unknown };
  /** Sentences. */
  screen: { write(text: string): unknown };
}

/** Exit statuses of operations. */
export const operationStatus = { done: 0, refused: 1, usage: 2, failed: 3 } as const;

/**
 * Does one of the operations, `ops <name> [options]` on the command line of a service.
 *
 * @param argv what follows `ops`
 * @returns the exit status: 0 done; 1 what was named is not there or cannot be done; 2 called wrongly, nothing was done; 3 it
 * failed, for example because a server does not answer
 */
export async function runOperation(
  argv: readonly string[],
  operations: readonly Operation[],
  { output, screen }: OperatorTerminal,
): Promise<number> {
  const say = (sentence: string) => screen.write(`${sentence}\n`);
  try {
    const { operation, tokens } = find(argv, operations);
    if (operation === null || tokens.includes('--help')) {
      output.write(usage(operation === null ? operations : [operation]));
      return operationStatus.done;
    }
    const { values, isJson } = readOptions(operation, tokens);
    const result = await operation.run(values);
    if (isJson) for (const row of result.rows) output.write(`${JSON.stringify(row)}\n`);
    else if (result.rows.length > 0) output.write(table(result.rows));
    if (result.say !== undefined) say(result.say);
    return operationStatus.done;
  } catch (error) {
    if (error instanceof UsageError) {
      say(error.message);
      return operationStatus.usage;
    }
    if (error instanceof Problem && error.status < 500) {
      say(error.message);
      return error.status === 400 ? operationStatus.usage : operationStatus.refused;
    }
    say(`It failed: ${reasonOf(error)}`);
    return operationStatus.failed;
  }
}

/** The operation whose words the arguments begin with, the longest name first; null when only help is asked for. */
function find(argv: readonly string[], operations: readonly Operation[]) {
  const { tokens } = parseArgs({ args: [...argv], strict: false, tokens: true });
  const firstOption = tokens.find(({ kind }) => kind !== 'positional')?.index ?? argv.length;
  const words = argv.slice(0, firstOption);
  if (words.length === 0) return { operation: null, tokens: argv };
  const operation = operations.find(({ name }) => name === words.join(' '));
  if (operation === undefined) {
    const names = operations.map(({ name }) => name).join(', ');
    throw new UsageError(`There is no "${words.join(' ')}" here, only: ${names}.`);
  }
  return { operation, tokens: argv.slice(firstOption) };
}

function usage(operations: readonly Operation[]): string {
  return operations
    .map(({ name, about, changes, options = {} }) => {
      const lines = Object.entries(options).map(([option, { about: words, kind, isRequired, otherwise }]) => {
        const value = kind === 'flag' ? '' : typeof kind === 'string' ? ` <${kind}>` : ` <${kind.join('|')}>`;
        const note = isRequired ? ' (required)' : otherwise === undefined ? '' : ` (else ${otherwise})`;
        return `    --${`${option}${value}`.padEnd(38)} ${words}${note}\n`;
      });
      return `ops ${name.padEnd(24)} ${about}${changes ? ' Needs --yes.' : ''}\n${lines.join('')}`;
    })
    .join('')
    .concat('With each: --json for one JSON text a line, --help.\n');
}

/** A refused connection has one error per address and no words of its own; none of them holds a password. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
