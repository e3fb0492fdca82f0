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
  if (databaseUrl) {
    const { host } = urlOf('DATABASE_URL', databaseUrl, ['postgres:', 'postgresql:']);
    const sql = `select current_setting('server_version_num')::int / 10000 as version`;
    const ask = (client: Client) => client.query<{ version: number }>(sql);
    const { rows } = await withClient(databaseUrl, ask, patienceMs).catch((error: unknown) => {
      throw new SetupError(`DATABASE_URL: PostgreSQL at ${host} ${failureOf(error)}.`);
    });
    const { version } = rows[0]!;
    const needed = `Canvass needs PostgreSQL ${oldestPostgres} or later; ${host} is PostgreSQL ${version}`;
    if (version < oldestPostgres) throw new SetupError(`DATABASE_URL: ${needed}.`);
  }
  if (!amqpUrl) return;
  const { host } = urlOf('AMQP_URL', amqpUrl, ['amqp:', 'amqps:']);
  try {
    const connection = await amqp.connect(amqpUrl, { timeout: patienceMs });
    connection.on('error', () => undefined);
    await connection.close();
  } catch (error) {
    throw new SetupError(`AMQP_URL: RabbitMQ at ${host} ${failureOf(error)}.`);
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
