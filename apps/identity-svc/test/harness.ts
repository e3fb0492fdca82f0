import { randomBytes, randomUUID } from 'node:crypto';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { silentLogger, startService, type Logger } from '@canvass/service-kit';
import { testDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { configSchema, type IdentitySettings } from '../src/config';
import { service as identity } from '../src/service';
import { bootstrap } from '../src/tenants';

export const internalSecret = 'a secret that only the specs of this service know';

export const newEncryptionKey = (id = 'k1') => `${id}:${randomBytes(32).toString('base64')}`;

export interface CallOptions {
  token?: string;
  body?: unknown;
  /** Sent unchanged. */
  text?: string;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: Headers;
  // Each test asserts the shape that it expects.
  body: Record<string, unknown>;
}

export function databaseForSpec() {
  return testDatabase({
    migrations,
    schema: 'identity',
    prepare: async (url) => {
      await migrate(url, migrations);
    },
  });
}

/** The settings of the process, with all defaults. */
export function settingsFor(url: string, overrides: Record<string, unknown> = {}): IdentitySettings {
  const { value, error } = configSchema.validate({
    Service: {
      Hosting: { Host: '127.0.0.1', Port: 0, InternalPort: 0, DrainSeconds: 0 },
      Database: { Url: url, PoolMax: 5 },
      Encryption: { Keys: [newEncryptionKey()] },
      Internal: { Secret: internalSecret },
      ...overrides,
    },
  });
  if (error) throw error;
  return value.Service;
}

/** One replica of the service on free ports. */
export async function startCopy(
  settings: IdentitySettings,
  options: { now?: () => number; logger?: Logger } = {},
) {
  const { now } = options;
  const copy = await startService({
    service: identity,
    config: settings,
    outside: now ? { now } : {},
    logger: options.logger ?? silentLogger,
  });
  return { ...copy, call: caller(copy.url) };
}

export const caller =
  (url: string) =>
  async (method: string, path: string, { token, body, text, headers }: CallOptions = {}): Promise<Reply> => {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const answer = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: answer === '' ? {} : (JSON.parse(answer) as Record<string, unknown>),
    };
  };

/** A new tenant for a test, with its administrator signed in. */
export async function newTenant(db: Database, call: ReturnType<typeof caller>) {
  const admin = { email: `${randomUUID()}@acme.example`, password: randomBytes(12).toString('hex') };
  const name = `Tenant ${randomUUID()}`;
  await bootstrap(db, [{ Name: name, AdminEmail: admin.email, AdminPassword: admin.password }]);
  const { status, body } = await call('POST', '/api/auth/login', { body: admin });
  if (status !== 200) throw new Error(`the new administrator cannot sign in: ${JSON.stringify(body)}`);
  const token = String(body['accessToken']);
  const me = (await call('GET', '/api/auth/me', { token })).body;
  return { name, admin, token, tenantId: String(me['tenantId']), adminId: String(me['subject']) };
}

/** The service with its own database, for one spec file. */
export async function startHarness(overrides: Record<string, unknown> = {}) {
  const database = await databaseForSpec();
  const settings = settingsFor(database.url, overrides);
  const copy = await startCopy(settings);
  await copy.ready;
  const db = createDatabase({ Url: database.url, PoolMax: 2 });
  return {
    url: copy.url,
    internalUrl: copy.internalUrl,
    call: copy.call,
    db,
    settings,
    newTenant: () => newTenant(db, copy.call),
    async close() {
      await db.close();
      await copy.stop();
      await database.drop();
    },
  };
}

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/**
 * Creates a user and returns its credentials. Its mailbox counts as proved, so that it signs in without the
 * tenant, unless `isProved` is false.
 */
export async function newUser(
  { call, db }: Pick<Harness, 'call' | 'db'>,
  token: string,
  overrides: Record<string, unknown> = {},
  { isProved = true } = {},
) {
  const login = { email: `${randomUUID()}@acme.example`, password: randomBytes(12).toString('hex') };
  const { body, status } = await call('POST', '/api/users', { token, body: { ...login, ...overrides } });
  if (status !== 201) throw new Error(`no user was made: ${JSON.stringify(body)}`);
  const id = String(body['id']);
  if (isProved) await db.query('update users set mailbox_proved_at = now() where id = $1', [id]);
  const { email, password } = { ...login, ...overrides };
  return { email, password, id };
}

/** The header with which an administrator proves to know the password. */
export async function proofOf(
  { call }: Pick<Harness, 'call'>,
  { token, admin }: { token: string; admin: { password: string } },
): Promise<Record<string, string>> {
  const body = { currentPassword: admin.password };
  const answer = await call('POST', '/api/auth/me/proof', { token, body });
  if (answer.status !== 200) throw new Error(`no proof: ${JSON.stringify(answer.body)}`);
  return { 'x-canvass-proof': String(answer.body['proof']) };
}
