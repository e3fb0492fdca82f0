import pino from 'pino';
import { currentContext, idsOf } from '../context/request-context';
import type { LoggingSettings } from '../config/settings';
import { redact } from './redact';

export type LogDetails = Record<string, unknown>;

/** Structured logging: details, then one constant message. An error goes into the details as `error`. */
export interface Logger {
  debug(details: LogDetails, message: string): void;
  info(details: LogDetails, message: string): void;
  warn(details: LogDetails, message: string): void;
  error(details: LogDetails, message: string): void;
  child(details: LogDetails): Logger;
}

export interface LoggerOptions {
  /** Default `info`; `silent` writes nothing (tests). */
  level?: LoggingSettings['Level'] | 'silent';
  /** Receives the JSON lines; default standard output. */
  destination?: { write(line: string): void };
}

/**
 * Creates a logger that writes one JSON line per entry: `time` (ISO 8601), `level`, `service`, the details
 * and `message`. In a request it adds the request id and trace id. Secrets are masked by member name and in
 * text.
 */
export function createLogger(service: string, options: LoggerOptions = {}): Logger {
  const destination = options.destination ?? standardOutput();
  const lines = pino(
    {
      level: options.level ?? 'info',
      base: { service },
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      mixin: () => {
        const context = currentContext();
        return context === undefined ? {} : idsOf(context);
      },
    },
    destination,
  );
  return wrap(lines);
}

/**
 * Standard output, written synchronously: a slow reader slows the process down instead of filling its memory.
 * The lines of one turn of the event loop are written together, because under load a write per line is a
 * notable part of the cost of a request. The last lines are written when the process exits.
 */
function standardOutput(): pino.DestinationStream {
  const stream = pino.destination({ dest: 1, sync: true });
  stream.on('error', () => undefined); // the reader closed its end; the process continues
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    if (text !== '') stream.write(text);
  };
  process.once('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}

function wrap(lines: pino.Logger): Logger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (details: LogDetails, message: string): void => {
      if (lines.isLevelEnabled(level)) lines[level](redact(details) as LogDetails, message);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (details) => wrap(lines.child(redact(details) as LogDetails)),
  };
}

/** A logger that writes nothing, for tests and commands. */
export const silentLogger: Logger = createLogger('silent', {
  level: 'silent',
  destination: { write: () => undefined },
});
