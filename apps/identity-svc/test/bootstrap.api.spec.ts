import { createDatabase } from '@canvass/postgres';
import { ConfigurationError, createLogger, loadConfig } from '@canvass/service-kit';
import type { TestDatabase } from '@canvass/testing';
import { configSchema } from '../src/config';
import { databaseForSpec, newEncryptionKey, settingsFor, startCopy } from './harness';

const secret = 'a secret of more than thirty-two characters';
const tenants = [
  {
    Name: 'Clinic',
    AdminEmail: 'Admin@Clinic.example',
    AdminPassword: 'first password',
    ServiceAccount: { ClientId: 'clinic-crm', ClientSecret: secret },
  },
  { Name: 'School', AdminEmail: 'admin@school.example', AdminPassword: 'first password' },
];
let database: TestDatabase;
const stops: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  database = await databaseForSpec();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await database.drop();
});

async function start(Bootstrap: unknown[], lines?: string[]) {
  const settings = settingsFor(database.url, { Bootstrap, Encryption: { Keys: [encryptionKey] } });
  const logger = lines && {
    logger: createLogger('identity-svc', { destination: { write: (line) => lines.push(line) } }),
  };
  const copy = await startCopy(settings, logger || {});
  stops.push(() => copy.stop());
  await copy.ready;
  return copy;
}
const encryptionKey = newEncryptionKey();
const login = (copy: Awaited<ReturnType<typeof start>>, email: string, password: string) =>
  copy.call('POST', '/api/auth/login', { body: { email, password } });

it('creates tenants, administrators and service accounts once, even if replicas start at once', async () => {
  const copies = await Promise.all([start(tenants), start(tenants), start(tenants)]);
  const db = createDatabase({ Url: database.url, PoolMax: 1 });
  stops.push(() => db.close());
  const [counts] = await db.query(`select (select count(*) from tenants) as tenants,
    (select count(*) from users) as users, (select count(*) from service_accounts) as accounts`);
  expect(counts).toEqual({ tenants: '2', users: '2', accounts: '1' });
  expect((await login(copies[0], 'admin@clinic.example', 'first password')).status).toBe(200);
  expect((await login(copies[1], 'admin@school.example', 'first password')).status).toBe(200);
  const { status } = await copies[2].call('POST', '/api/auth/token', {
    text: `grant_type=client_credentials&client_id=clinic-crm&client_secret=${encodeURIComponent(secret)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(status).toBe(200);
});

it('does not change an existing tenant: no old password and no deleted administrator is restored', async () => {
  const copy = await start(tenants);
  const token = String((await login(copy, 'admin@school.example', 'first password')).body['accessToken']);
  await copy.call('POST', '/api/auth/me/password', {
    token,
    body: { currentPassword: 'first password', newPassword: 'second password' },
  });
  const again = await start([{ ...tenants[1], AdminEmail: 'other@school.example' }]);
  expect((await login(again, 'admin@school.example', 'first password')).status).toBe(401);
  expect((await login(again, 'admin@school.example', 'second password')).status).toBe(200);
  expect((await login(again, 'other@school.example', 'first password')).status).toBe(401);
});

it('fails the start with a message if a client id is used by another tenant', async () => {
  await start(tenants);
  await expect(start([{ ...tenants[0], Name: 'Third' }])).rejects.toThrow(
    'Service:Bootstrap cannot create the tenant "Third": its ClientId is used',
  );
});

it('creates an administrator with an address that another tenant has, too', async () => {
  const copy = await start([tenants[1], { ...tenants[1], Name: 'Third', AdminPassword: 'third password' }]);
  for (const password of ['first password', 'third password'])
    expect((await login(copy, 'admin@school.example', password)).status).toBe(200);
});

it('writes no password, secret, token or key to its log', async () => {
  const lines: string[] = [];
  const copy = await start(tenants, lines);
  const session = (await login(copy, 'admin@clinic.example', 'first password')).body;
  await login(copy, 'admin@clinic.example', 'a wrong password');
  const refresh = async (refreshToken: unknown) =>
    (await copy.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })).body;
  const next = await refresh(session['refreshToken']);
  await refresh(session['refreshToken']);
  await refresh(next['refreshToken']);
  await copy.call('GET', '/api/auth/me', { token: String(session['accessToken']) });
  const log = lines.join('');
  expect(log).toContain('refresh token reuse detected');
  const secrets = ['first password', 'a wrong password', secret, encryptionKey.split(':')[1], 'PRIVATE KEY'];
  for (const each of [...secrets, session['refreshToken'], session['accessToken']]) {
    expect(log).not.toContain(String(each));
  }
});

it('reports all errors of a configuration at once', () => {
  const faults = () =>
    loadConfig(configSchema, {
      argv: [],
      env: {
        Service__Bootstrap__0__Name: 'Clinic',
        Service__Bootstrap__0__AdminEmail: 'unknown',
        Service__Bootstrap__0__AdminPassword: 'short',
        Service__Tokens__KeyOverlapHours: '1',
        Service__Encryption__Keys: '["k1:AAAA"]',
        Service__Unknown: 'x',
      },
      defaultsFile: 'there-is-no-such-file.json',
    });
  expect(faults).toThrow(ConfigurationError);
  let keys: string[] = [];
  try {
    faults();
  } catch (err) {
    keys = (err as ConfigurationError).faults.map((fault) => fault.split(' ')[0]!);
    expect(String(err)).not.toContain('AAAA');
  }
  expect(keys.sort()).toEqual([
    'Service:Bootstrap:0:AdminEmail',
    'Service:Bootstrap:0:AdminPassword',
    'Service:Database:Url',
    'Service:Encryption:Keys:0',
    'Service:Internal:Secret',
    'Service:Tokens',
    'Service:Unknown',
  ]);
});
