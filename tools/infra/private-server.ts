import type { ServerHome } from './account';
import type { PortBook } from './ports';

/** What every private server is given. */
export interface PrivateServerOptions {
  /** The stack's folder: pid files, ports, logs. */
  dir: string;
  /** Where data goes. */
  home: ServerHome;
  /** Where programs go that have to be fetched or copied; one for all stacks of a checkout. */
  programs: ServerHome;
  ports: PortBook;
  /** Data is thrown away at each start and nothing waits for the disk: for tests. */
  ephemeral: boolean;
  /** Tells a person what takes time. */
  say(line: string): void;
}

/** A server this project started, or found running from an earlier start. */
export interface InfraServer {
  readonly url: string;
  /** Null for a server that is not ours (given by URL, or in a container). */
  pid(): number | null;
  alive(): boolean;
  /** Does nothing if it runs. */
  start(): Promise<void>;
  /** Stops it in order; with a signal, sends just that (SIGKILL, SIGSTOP, …) and does not wait. */
  stop(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  restart(): Promise<void>;
}

/** Last lines of a log file, for an error that a person reads. */
export function tail(text: string, lines = 12): string {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
