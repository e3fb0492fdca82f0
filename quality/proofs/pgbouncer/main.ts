/**
 * Runs a stack whose services reach Postgres through PgBouncer in transaction mode, each with
 * `Service:Database:DirectUrl`. Creates, changes and deletes data of every service many times at once, waits
 * for the webhooks, and checks that the limits of connections hold there. Passes if every request succeeds.
 * The control: a pool without `DirectUrl` is refused.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { localDir, SetupError } from '@canvass/infra';
import { createDatabase, serviceRoles } from '@canvass/postgres';
import {
  buildApps,
  loadSecrets,
  ownDatabase,
  ownVirtualHost,
  serviceNames,
  startStack,
  type ServiceEnvironments,
  type Stack,
} from '@canvass/stack';
import { apiOf, dataOf, eventually, login, webhookSink, type WebhookSink } from '@canvass/testing';
import { startPgBouncer, type PgBouncer } from './pgbouncer';

const [rounds, atOnce] = [10, 8];
const dir = path.join(localDir, `pgbouncer-${process.pid}`);
const say = (line: string) => console.log(line);

const required = (name: string): string => process.env[name]!;

async function prove(): Promise<boolean> {
  mkdirSync(dir, { recursive: true });
  const databaseUrl = await ownDatabase(required('TEST_DATABASE_URL'), 'proof_pgbouncer');
  const management = required('TEST_AMQP_MANAGEMENT_URL');
  const amqpUrl = await ownVirtualHost(required('TEST_AMQP_URL'), management, 'proof-pgbouncer');
  const { rolePasswords } = loadSecrets(dir, serviceNames);
  const direct = serviceRoles.map(({ service, role }) => {
    const url = new URL(databaseUrl);
    url.username = role;
    url.password = rolePasswords[service as keyof typeof rolePasswords] ?? '';
    return { service, url: url.href };
  });
  const pooler = await startPgBouncer(
    dir,
    direct.map(({ url }) => url),
  );
  const env = Object.fromEntries(
    direct.map(({ service, url }) => [
      service,
      {
        Service__Database__Url: pooler.through(url),
        Service__Database__DirectUrl: url,
        Service__Database__PreparedStatements: String(pooler.keepsStatements),
      },
    ]),
  ) as ServiceEnvironments;
  say(`PgBouncer ${pooler.version}, named statements ${pooler.keepsStatements ? 'on' : 'off'}`);
  const given = { databaseUrl, amqpUrl, amqpManagementUrl: management };
  const stack = await startStack({ dir, env, given, ephemeral: true, prepare: buildApps, say });
  const sink = await webhookSink();
  try {
    const delivered = await useEverything(stack, sink);
    const through = await pooler.transactions();
    const limits = await limitsOf(pooler, direct[0]!.url);
    const isRefused = await refusesSettings(pooler.through(direct[0]!.url));
    say(`${delivered} of ${rounds * atOnce} completed submissions delivered`);
    say(`${through} transactions through PgBouncer; statement_timeout there ${limits}`);
    say(`control: a pool without DirectUrl is ${isRefused ? 'refused' : 'accepted'} (wanted: refused)`);
    return delivered === rounds * atOnce && through > rounds * atOnce && limits === '30s' && isRefused;
  } finally {
    await sink.close();
    await stack.stop();
    await pooler.stop();
  }
}

/** Returns the number of webhooks that arrived. @throws if a request fails */
async function useEverything({ file }: Stack, sink: WebhookSink): Promise<number> {
  const { gatewayUrl, demo } = file;
  const admin = apiOf(gatewayUrl, await login(gatewayUrl, demo.adminEmail, demo.adminPassword));
  const hook = { Url: `${sink.url}/hook`, Authentication: { Type: 'None' } };
  const settings = { Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: [hook] } } };
  const webHookSettingsJson = JSON.stringify(settings);
  const round = async (n: number) => {
    const { id } = await dataOf(
      admin.POST('/api/data-lists', { body: { name: `L ${n}`, defaultLocale: 'en' } }),
    );
    const items = [{ value: 'a', labels: { default: 'A' } }];
    await dataOf(admin.PUT('/api/data-lists/{id}/import', { params: { path: { id } }, body: { items } }));
    const body = { name: `F ${n}`, isEnabled: true, webHookSettingsJson };
    const { id: formId } = await dataOf(admin.POST('/api/forms', { body }));
    const ofForm = { path: { formId } };
    await dataOf(admin.PATCH('/api/forms/{formId}', { params: ofForm, body: { description: 'changed' } }));
    await dataOf(
      admin.POST('/api/forms/{formId}/submissions', { params: ofForm, body: { isComplete: true } }),
    );
    await dataOf(admin.POST('/api/service-accounts', { body: { name: `S ${n}` } }));
    await deleted(admin.DELETE('/api/data-lists/{id}', { params: { path: { id } } }));
    return formId;
  };
  const forms: string[] = [];
  for (let n = 0; n < rounds; n += 1)
    forms.push(...(await Promise.all(Array.from({ length: atOnce }, (_, at) => round(n * atOnce + at)))));
  const arrived = () => new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size;
  await eventually(() => arrived() >= forms.length, { timeoutMs: 60_000 }).catch(() => undefined);
  const query = { status: ['delivered' as const], total: 'exact' as const };
  const { total } = await dataOf(admin.GET('/api/webhooks/deliveries', { params: { query } }));
  if (total! < forms.length) throw new Error(`the log has ${total} deliveries`);
  for (const formId of forms)
    await deleted(admin.DELETE('/api/forms/{formId}', { params: { path: { formId } } }));
  return arrived();
}

async function deleted(call: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  const { error, response } = await call;
  if (response.status !== 204)
    throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
}

/** The time limit of statements of a role on a connection of the pooler. */
async function limitsOf(pooler: PgBouncer, url: string): Promise<string> {
  const db = createDatabase({ Url: pooler.through(url), DirectUrl: url, PreparedStatements: false });
  const [row] = await db.query<{ statement_timeout: string }>('show statement_timeout');
  await db.close();
  return row!.statement_timeout;
}

async function refusesSettings(url: string): Promise<boolean> {
  const db = createDatabase({ Url: url });
  const error: unknown = await db.query('select 1').then(
    () => null,
    (reason: unknown) => reason,
  );
  await db.close();
  return error instanceof Error && error.message.includes('startup parameter');
}

prove()
  .catch((error: unknown) => {
    if (!(error instanceof SetupError)) throw error;
    say(`skipped: ${error.message}`);
    return true;
  })
  .then(
    (holds) => finish(holds ? 0 : 1),
    (error: unknown) => {
      console.error(error);
      finish(1);
    },
  );

function finish(status: number): never {
  rmSync(dir, { recursive: true, force: true });
  process.exit(status);
}
