import jwt from 'jsonwebtoken';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { createKeyRing, type KeyStore, type StoredKey } from '../src';

const hour = 3_600_000;
const times = { rotateEveryHours: 720, overlapHours: 24 };
const forOneHour = { expiresInSeconds: 3600, audience: 'a', issuer: 'i', subject: 's' };

/** A store in memory with a lock, shared by all replicas. */
function memoryStore() {
  const keys: StoredKey[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const store: KeyStore = {
    load: () => Promise.resolve([...keys]),
    insert: (key) => Promise.resolve(void keys.push(key)),
    deleteExpired: (now) => {
      keys.splice(0, keys.length, ...keys.filter((key) => key.expiresAt > now));
      return Promise.resolve();
    },
    lock: <T>(fn: () => Promise<T>) => {
      const result = last.then(fn);
      last = result.catch(() => undefined);
      return result;
    },
  };
  return { keys, store };
}

let clock = Date.parse('2026-11-20T12:00:00Z');
const now = () => clock;
const kidOf = (token: string) => jwt.decode(token, { complete: true })!.header.kid!;

function verifies(token: string, keys: JsonWebKey[]): boolean {
  const jwk = keys.find((key) => key['kid'] === kidOf(token));
  if (!jwk) return false;
  jwt.verify(token, createPublicKey({ format: 'jwk', key: jwk }), {
    algorithms: ['RS256'],
    clockTimestamp: Math.floor(clock / 1000),
  });
  return true;
}

it('creates one key for ten replicas that start at once', async () => {
  const { keys, store } = memoryStore();
  const rings = Array.from({ length: 10 }, () => createKeyRing(store, { ...times, now }));
  await Promise.all(rings.map((ring) => ring.start()));
  expect(keys).toHaveLength(1);
  const token = rings[3]!.sign({ tid: '1' }, forOneHour);
  expect(verifies(token, rings[7]!.jwks().keys)).toBe(true);
  expect(jwt.decode(token)).toMatchObject({
    aud: 'a',
    iss: 'i',
    sub: 's',
    tid: '1',
    jti: expect.any(String),
  });
  await Promise.all(rings.map((ring) => ring.stop()));
});

it('publishes public members only', async () => {
  const ring = createKeyRing(memoryStore().store, { ...times, now });
  await ring.refresh();
  expect(Object.keys(ring.jwks().keys[0]!).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

it('fails no request in a year of rotations, although verifiers fetch the keys only every twelve hours', async () => {
  const { store } = memoryStore();
  const copies = [createKeyRing(store, { ...times, now }), createKeyRing(store, { ...times, now })];
  let published: JsonWebKey[] = [];
  const seen = new Set<string>();
  let waiting: string[] = [];
  for (let hours = 0; hours < 365 * 24; hours += 3) {
    if (hours % 6 === 0) for (const copy of copies) await copy.refresh();
    if (hours % 12 === 0) published = copies[(hours / 12) % 2]!.jwks().keys;
    for (const token of waiting) expect(verifies(token, published)).toBe(true);
    waiting = copies.map((copy) => copy.sign({}, { ...forOneHour, expiresInSeconds: 4 * 3600 }));
    for (const token of waiting) {
      expect(verifies(token, published)).toBe(true);
      seen.add(kidOf(token));
    }
    clock += 3 * hour;
  }
  expect(seen.size).toBe(13); // every 30 days
});

it.each([1, 10, 29, 30, 31, 32, 40, 400])('has a signing key after %i days of downtime', async (days) => {
  const { store } = memoryStore();
  const before = createKeyRing(store, { ...times, now });
  await before.refresh();
  clock += days * 24 * hour;
  const ring = createKeyRing(store, { ...times, now });
  await ring.refresh();
  for (let hours = 0; hours < 60; hours += 1) {
    const token = ring.sign({}, forOneHour);
    clock += 0.9 * hour;
    await ring.refresh();
    expect(verifies(token, ring.jwks().keys)).toBe(true);
  }
});

it('removes keys once all their tokens have expired', async () => {
  const { keys, store } = memoryStore();
  const ring = createKeyRing(store, { ...times, now });
  for (let day = 0; day < 200; day += 1) {
    await ring.refresh();
    clock += 24 * hour;
  }
  expect(keys.length).toBeLessThanOrEqual(3);
});

it('keeps using the cached keys and logs it while the store is down', async () => {
  const { store } = memoryStore();
  const warnings: string[] = [];
  const ring = createKeyRing(store, {
    ...times,
    now,
    refreshSeconds: 0.01,
    onWarning: (m) => warnings.push(m),
  });
  await ring.start();
  store.load = () => Promise.reject(new Error('connection refused'));
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (warnings.length === 0) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  expect(ring.sign({}, forOneHour)).toMatch(/^ey/);
  await ring.stop();
});

it('does not sign before start()', () => {
  const ring = createKeyRing(memoryStore().store, { ...times, now });
  expect(() => ring.sign({}, forOneHour)).toThrow('not started');
});
