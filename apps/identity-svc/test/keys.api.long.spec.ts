import { createJwksVerifier } from '@canvass/auth';
import { createDatabase } from '@canvass/postgres';
import { eventually, type TestDatabase } from '@canvass/testing';
import jwt from 'jsonwebtoken';
import { databaseForSpec, newEncryptionKey, newTenant, settingsFor, startCopy, type Reply } from './harness';

const hour = 3_600_000;
let database: TestDatabase;
const copies: { stop(): Promise<boolean> }[] = [];

beforeEach(async () => {
  database = await databaseForSpec();
});
afterEach(async () => {
  for (const copy of copies.splice(0)) await copy.stop();
  await database.drop();
});

async function start(keys: string[], now?: () => number) {
  const copy = await startCopy(settingsFor(database.url, { Encryption: { Keys: keys } }), now ? { now } : {});
  copies.push(copy);
  await copy.ready;
  return copy;
}

type Copy = Awaited<ReturnType<typeof start>>;

const published = async (copy: Copy) =>
  (await copy.call('GET', '/.well-known/jwks.json')).body['keys'] as { kid: string }[];
const kidOf = (reply: Reply) => jwt.decode(String(reply.body['accessToken']), { complete: true })!.header.kid;

it('publishes public keys that may be cached', async () => {
  const copy = await start([newEncryptionKey()]);
  const { status, headers, body } = await copy.call('GET', '/.well-known/jwks.json');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  const keys = body['keys'] as object[];
  expect(keys).toHaveLength(1);
  expect(Object.keys(keys[0]!).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

it('rotates without a failed request: published before it signs, kept while its tokens live', async () => {
  const keys = [newEncryptionKey()];
  let clock = Date.now();
  const now = () => clock;
  const db = createDatabase({ Url: database.url, PoolMax: 1 });
  const first = await start(keys, now);
  const tenant = await newTenant(db, first.call);
  const login = (copy: Copy) => copy.call('POST', '/api/auth/login', { body: tenant.admin });
  const oldKid = kidOf(await login(first));

  // A day before the end of the period a starting replica creates the next key. It does not sign yet.
  clock += (720 - 20) * hour;
  const second = await start(keys, now);
  const set = await published(second);
  expect(set).toHaveLength(2);
  expect(kidOf(await login(second))).toBe(oldKid);
  const verifier = createJwksVerifier({
    jwksUri: `${second.url}/.well-known/jwks.json`,
    issuer: 'canvass-identity',
    audience: 'canvass-api',
    now,
  });
  const oldToken = String((await login(second)).body['accessToken']);
  await verifier.verify(oldToken);

  // The period is over: the new key signs. A verifier that fetched the set before accepts both tokens.
  clock += 24 * hour;
  const reply = await login(second);
  expect(kidOf(reply)).toBe(set.map(({ kid }) => kid).find((kid) => kid !== oldKid));
  await verifier.verify(String(reply.body['accessToken']));
  const me = await second.call('GET', '/api/auth/me', { token: String(reply.body['accessToken']) });
  expect(me.status).toBe(200);
  expect(await published(second)).toHaveLength(2);

  // The first replica never restarted. It accepts tokens of the new key, because it reads the table for an
  // unknown key.
  const elsewhere = await first.call('GET', '/api/auth/me', { token: String(reply.body['accessToken']) });
  expect(elsewhere.status).toBe(200);

  // The old key is deleted long after its last token.
  clock += 60 * hour;
  expect((await published(second)).map(({ kid }) => kid)).not.toContain(oldKid);
  await db.close();
});

it('creates one key for three replicas that start at once', async () => {
  const keys = [newEncryptionKey()];
  const started = await Promise.all([start(keys), start(keys), start(keys)]);
  const sets = await Promise.all(started.map(published));
  expect(new Set(sets.flat().map(({ kid }) => kid)).size).toBe(1);
});

describe('at rest', () => {
  const rows = async () => {
    const db = createDatabase({ Url: database.url, PoolMax: 1 });
    try {
      return await db.query<{ kid: string; private_key: string }>(
        'select kid, private_key from signing_keys',
      );
    } finally {
      await db.close();
    }
  };

  it('private keys are sealed', async () => {
    await start([newEncryptionKey('k9')]);
    const [row] = await rows();
    expect(row!.private_key).toMatch(/^v1\.k9\./);
    expect(JSON.stringify(row)).not.toContain('PRIVATE KEY');
  });

  it('are re-encrypted with the first encryption key, and continue to sign', async () => {
    const old = newEncryptionKey('old');
    const [before] = await published(await start([old]));
    await copies.pop()!.stop();
    const fresh = newEncryptionKey('new');
    await start([fresh, old]);
    await eventually(async () => expect((await rows())[0]!.private_key).toMatch(/^v1\.new\./));
    await copies.pop()!.stop();
    const [after] = await published(await start([fresh]));
    expect(after!.kid).toBe(before!.kid);
  });

  it('fail the start with a message if the encryption key is missing', async () => {
    await start([newEncryptionKey('old')]);
    await copies.pop()!.stop();
    await expect(start([newEncryptionKey('other')])).rejects.toThrow('which is not configured');
  });
});

it('answers 503 on its routes and reports its health correctly until the database is available', async () => {
  const missing = new URL(database.url);
  missing.pathname = '/not_there_yet';
  const copy = await startCopy(settingsFor(missing.href));
  copies.push(copy);
  expect((await copy.call('GET', '/.well-known/jwks.json')).status).toBe(503);
  const probe = async (path: string) => (await fetch(`${copy.url}${path}`)).status;
  expect(await probe('/alive')).toBe(200);
  expect(await probe('/ready')).toBe(503);
  const report = await copy.call('GET', '/health/detail');
  expect(report.body['checks']).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'identity-database', status: 'Unhealthy' })]),
  );
});

it('is ready once it has started, with the check identity-database', async () => {
  const copy = await start([newEncryptionKey()]);
  await eventually(async () => expect((await fetch(`${copy.url}/ready`)).status).toBe(200));
  await eventually(async () => {
    const report = await copy.call('GET', '/health/detail');
    expect(report.body['checks']).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'identity-database', status: 'Healthy' })]),
    );
  });
});
