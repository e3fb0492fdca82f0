import amqp from 'amqplib';
import { DatabaseError, type Client } from 'pg';
import { messageOf, SetupError } from './checkout';
import type { GivenUrls } from './private-server';
import { withClient } from './with-client';

const patienceMs = 10_000;
/** The oldest major version that the services accept. */
const oldestPostgres = 18;

/**
 * Looks at the servers that a person named, before anything is built or downloaded.
 *
 * @throws {SetupError} one sentence that names the variable: not a URL, no answer, or too old a server
 */
export async function checkGivenServers({ databaseUrl, amqpUrl }: GivenUrls): Promise<void> {
  if (databaseUrl) await checkPostgres('DATABASE_URL', databaseUrl);
  if (amqpUrl) await checkRabbit('AMQP_URL', amqpUrl);
}

async function checkPostgres(name: string, text: string): Promise<void> {
  const { host } = urlOf(name, text, ['postgres:', 'postgresql:']);
  const sql = `select current_setting('server_version_num')::int / 10000 as version`;
  const ask = (client: Client) => client.query<{ version: number }>(sql);
  const { rows } = await withClient(text, ask, patienceMs).catch((error: unknown) => {
    throw new SetupError(`${name}: PostgreSQL at ${host} ${failureOf(error)}.`);
  });
  const { version } = rows[0]!;
  if (version < oldestPostgres)
    throw new SetupError(
      `${name}: Canvass needs PostgreSQL ${oldestPostgres} or later; ${host} is PostgreSQL ${version}.`,
    );
}

async function checkRabbit(name: string, text: string): Promise<void> {
  const { host } = urlOf(name, text, ['amqp:', 'amqps:']);
  try {
    const connection = await amqp.connect(text, { timeout: patienceMs });
    connection.on('error', () => undefined);
    await connection.close();
  } catch (error) {
    throw new SetupError(`${name}: RabbitMQ at ${host} ${failureOf(error)}.`);
  }
}

function urlOf(name: string, text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !protocols.includes(url.protocol) || url.hostname === '')
    throw new SetupError(`${name} must be a URL that begins with ${protocols[0]}//user:password@host.`);
  return url;
}

/** What the server did. An attempt at several addresses of one name has its reasons inside, and no message. */
function failureOf(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const reason = messageOf(inner) || 'no reason given';
  // PostgreSQL answers with an error of five letters, RabbitMQ by closing the connection with a number.
  const isRefusal = inner instanceof DatabaseError || /\b403 .ACCESS.REFUSED|\b530 .NOT.ALLOWED/.test(reason);
  return `${isRefusal ? 'refuses the login' : 'does not answer'} (${reason})`;
}
