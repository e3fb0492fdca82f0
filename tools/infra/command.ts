import { parseArgs, type ParseArgsConfig } from 'node:util';
import { SetupError } from './checkout';

/** Signals that end a command of the terminal. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A command was called wrongly. */
export class UsageError extends SetupError {
  constructor(command: string, reason: string) {
    super(`${reason.replace(/\.?$/, '.')} See "${command} -- --help".`);
  }
}

/** Parses the options of a command, `npm start`. @throws {UsageError} if one is unknown or lacks its value */
export function parseOptions<const T extends ParseArgsConfig>(
  command: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's message continues with positional arguments after the first sentence.
    throw new UsageError(command, (error as Error).message.split('. To specify')[0]!);
  }
}

/** Runs a command and ends the process with its status; with 1 and the reason if it fails. */
export function runCommand(command: () => Promise<number>): void {
  command().then(
    (status) => process.exit(status),
    (error: unknown) => {
      const { code, path: denied } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' && denied)
        console.error(`${denied} belongs to another user: remove .local/ as that user, or run as that user.`);
      else console.error(error instanceof SetupError ? error.message : error);
      process.exit(1);
    },
  );
}
