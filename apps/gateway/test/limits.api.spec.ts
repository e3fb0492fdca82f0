import { createLogger } from '@canvass/service-kit';
import { eventually, testIssuer, type TestIssuer } from '@canvass/testing';
import { request as httpRequest } from 'node:http';
import { startHarness, type Harness } from './harness';

interface Seen {
  status: number;
  limit: string | null;
  remaining: string | null;
  reset: number;
  retryAfter: number;
  errorCode: string | undefined;
}

let gateway: Harness;
let issuer: TestIssuer;
let last = 0;
/** An address that no other test uses. */
function anAddress(): string {
  last += 1;
  return `198.19.${last >> 8}.${last & 255}`;
}

async function call(path: string, address: string, token?: string, init: RequestInit = {}): Promise<Seen> {
  const response = await fetch(gateway.url + path, {
    ...init,
    headers: {
      'x-forwarded-for': address,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  const body = (await response.json()) as { errorCode?: string };
  const { headers, status } = response;
  return {
    status,
    limit: headers.get('ratelimit-limit'),
    remaining: headers.get('ratelimit-remaining'),
    reset: Number(headers.get('ratelimit-reset')),
    retryAfter: Number(headers.get('retry-after')),
    errorCode: body.errorCode,
  };
}

async function statuses(count: number, ask: () => Promise<Seen>): Promise<number[]> {
  const seen: number[] = [];
  for (let n = 0; n < count; n += 1) seen.push((await ask()).status);
  return seen;
}

const limited = (RateLimits: Record<string, unknown>) => ({
  TrustedHops: 1,
  RateLimits: {
    WindowSeconds: 3600,
    PerAddress: 0,
    PerAccount: 0,
    PerFormToken: 0,
    AnonymousCreates: 0,
    AnonymousSaves: 0,
    ...RateLimits,
  },
});

beforeAll(async () => {
  issuer = await testIssuer();
});
afterAll(() => issuer.close());
afterEach(() => gateway.close());

describe('a limit per address', () => {
  it('reports what is left of the limit, and refuses a client for the rest of the window', async () => {
    gateway = await startHarness({ settings: limited({ PerAddress: 3 }) });
    const address = anAddress();
    const standings = [await call('/api/forms', address), await call('/api/data-lists', address)];
    expect(standings).toMatchObject([
      { status: 200, limit: '3', remaining: '2' },
      { status: 200, limit: '3', remaining: '1' },
    ]);
    await call('/api/forms', address);
    const refused = await call('/api/forms', address);
    expect(refused).toMatchObject({
      status: 429,
      limit: '3',
      remaining: '0',
      errorCode: 'too_many_requests',
    });
    expect(refused.retryAfter).toBe(refused.reset);
    expect(refused.retryAfter).toBeGreaterThan(3000);
    expect(refused.retryAfter).toBeLessThanOrEqual(3600);
    expect((await call('/api/forms', anAddress())).status).toBe(200);
    expect(gateway.services.Submissions.seen).toHaveLength(3);
  });

  it('is by the address that trusted proxies vouch for, whatever a client claims before it', async () => {
    gateway = await startHarness({ settings: limited({ PerAddress: 2 }) });
    const address = anAddress();
    const ask = () => call('/api/forms', `198.51.100.${(last += 1)}, ${address}`);
    expect(await statuses(3, ask)).toEqual([200, 200, 429]);
  });

  it.each([
    ['one IPv6 network for one client', '2001:db8:7:7::1', '2001:db8:7:7:ffff::2', 429],
    ['two IPv6 networks for two', '2001:db8:7:8::1', '2001:db8:7:9::1', 200],
    ['IPv4 in IPv6 for IPv4', '::ffff:192.0.2.9', '192.0.2.9', 429],
    ['an address with a port for an address', '192.0.2.10:4711', '192.0.2.10:4712', 429],
    ['an IPv6 address with a port for its network', '[2001:db8:7:10::1]:4711', '2001:db8:7:10::2', 429],
    ['an address with a zone for an address', 'fe80::1%eth0', 'fe80::2%eth0', 429],
  ])('takes %s', async (_, first, second, status) => {
    gateway = await startHarness({ settings: limited({ PerAddress: 1 }) });
    expect((await call('/api/forms', first)).status).toBe(200);
    expect((await call('/api/forms', second)).status).toBe(status);
  });

  it.each([
    ['/56', (n: number) => `2001:db8:5:${(0x100 + n).toString(16)}::1`, 2],
    ['/48', (n: number) => `2001:db8:4:${(0x100 * n).toString(16)}::1`, 4],
  ])(
    'counts a subscriber with a %s together: other networks of it bring it no new limit',
    async (_, nth, max) => {
      gateway = await startHarness({ settings: limited({ PerAddress: 2 }) });
      for (let n = 0; n < 2 * max; n += 1) expect((await call('/api/forms', nth(n >> 1))).status).toBe(200);
      expect((await call('/api/forms', nth(max + 1))).status).toBe(429);
      expect((await call('/api/forms', '2001:db8:9::1')).status).toBe(200);
    },
  );

  it('counts what a network refuses for no wider one', async () => {
    gateway = await startHarness({ settings: limited({ PerAddress: 1 }) });
    await statuses(9, () => call('/api/forms', '2001:db8:6:100::1'));
    expect((await call('/api/forms', '2001:db8:6:101::1')).status).toBe(200);
  });

  it('leaves health, probes and preflights alone', async () => {
    gateway = await startHarness({
      settings: { ...limited({ PerAddress: 1 }), Cors: { Origins: ['https://forms.example.org'] } },
    });
    const address = anAddress();
    expect(await statuses(2, () => call('/api/forms', address))).toEqual([200, 429]);
    for (const path of ['/alive', '/ready', '/health']) {
      const { status, headers } = await fetch(gateway.url + path, {
        headers: { 'x-forwarded-for': address },
      });
      expect([path, headers.get('ratelimit-limit')]).toEqual([path, null]);
      if (path !== '/health') expect(status).toBe(200); // its word on the services depends on the time they have
    }
    const preflight = await fetch(`${gateway.url}/api/forms`, {
      method: 'OPTIONS',
      headers: {
        'x-forwarded-for': address,
        origin: 'https://forms.example.org',
        'access-control-request-method': 'PUT',
      },
    });
    expect(preflight.status).toBe(204);
  });

  it('answers before a body is sent', async () => {
    gateway = await startHarness({ settings: limited({ PerAddress: 1 }) });
    const address = anAddress();
    await call('/api/forms', address);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const upload = httpRequest(
        `${gateway.url}/api/data-lists/1/import`,
        { method: 'POST', headers: { 'x-forwarded-for': address, 'content-type': 'text/csv' } },
        (response) => {
          resolve(response.statusCode);
          upload.destroy();
        },
      );
      upload.once('error', reject);
      upload.write('a,b\n'); // and nothing more
    });
    expect(status).toBe(429);
    expect(gateway.services.DataLists.seen).toEqual([]);
  });
});

describe('a limit per account', () => {
  const claims = (tid: string, sub: string) => ({ tid, sub, kind: 'user', roles: ['Viewer'] });

  /**
   * A gateway that has the keys of the issuer: until then it counts tokens, and waits for keys no longer than
   * a moment.
   */
  async function withAccounts(limits: { PerAccount: number; PerAddress?: number }): Promise<Harness> {
    gateway = await startHarness({
      settings: limited(limits),
      auth: { Own: { Issuer: issuer.issuer, Audience: issuer.audience, JwksUri: issuer.jwksUri } },
    });
    await eventually(async () => {
      const sub = `${(last += 1)}`;
      let remaining: string | null = null;
      for (let n = 0; n < limits.PerAccount; n += 1) {
        const token = issuer.token({ ...claims('9', sub), jti: `${n}` });
        ({ remaining } = await call('/api/forms', anAddress(), token));
      }
      expect(remaining).toBe('0');
    });
    return gateway;
  }

  it('holds for all tokens of the account from all addresses, and for no other', async () => {
    gateway = await withAccounts({ PerAccount: 2 });
    const ask = (tid: string, sub: string) => () =>
      call('/api/forms', anAddress(), issuer.token({ ...claims(tid, sub), jti: `${(last += 1)}` }));
    expect(await statuses(3, ask('1', '7'))).toEqual([200, 200, 429]);
    expect(await statuses(1, ask('1', '8'))).toEqual([200]);
    expect(await statuses(1, ask('2', '7'))).toEqual([200]);
  });

  it('is not spent by forged tokens, which go on to be refused', async () => {
    gateway = await withAccounts({ PerAccount: 2 });
    const forged = issuer.token(claims('1', '9'), { forged: true });
    expect(await statuses(5, () => call('/api/forms', anAddress(), forged))).toEqual(Array(5).fill(200));
    const good = await call('/api/forms', anAddress(), issuer.token(claims('1', '9')));
    expect(good).toMatchObject({ status: 200, limit: '2', remaining: '1' });
  });

  it('counts a token however it is spelled in its header', async () => {
    gateway = await withAccounts({ PerAccount: 4 });
    const token = issuer.token(claims('1', '11'));
    const seen: number[] = [];
    const padded = `Bearer ${token}${' '.repeat(12_600 - token.length)}.`; // the services read no further than the blanks
    for (const authorization of [`bearer ${token}`, `BEARER   ${token}`, `Bearer ${token}  `, padded]) {
      const headers = { 'x-forwarded-for': anAddress(), authorization };
      seen.push(
        Number((await fetch(`${gateway.url}/api/forms`, { headers })).headers.get('ratelimit-remaining')),
      );
    }
    expect(seen).toEqual([3, 2, 1, 0]);
  });

  it('is by token while the keys of the issuer cannot be had', async () => {
    const away = await testIssuer();
    away.setAvailable(false);
    gateway = await startHarness({
      settings: limited({ PerAccount: 1 }),
      auth: { Own: { Issuer: away.issuer, Audience: away.audience, JwksUri: away.jwksUri } },
    });
    const [one, two] = [away.token(claims('1', '7')), away.token(claims('1', '8'))];
    expect(await statuses(2, () => call('/api/forms', anAddress(), one))).toEqual([200, 429]);
    expect((await call('/api/forms', anAddress(), two)).status).toBe(200);
    await away.close();
  });

  it('reports the limit with the fewest requests left', async () => {
    gateway = await withAccounts({ PerAccount: 10, PerAddress: 5 });
    const token = issuer.token(claims('1', '10'));
    const address = anAddress();
    expect(await call('/api/forms', address, token)).toMatchObject({ limit: '5', remaining: '4' });
    for (let n = 0; n < 6; n += 1) await call('/api/forms', anAddress(), token);
    expect(await call('/api/forms', anAddress(), token)).toMatchObject({ limit: '10', remaining: '2' });
  });
});

it('limits each form token by itself', async () => {
  gateway = await startHarness({ settings: limited({ PerFormToken: 2 }) });
  const ask = (token: string) => () => call('/api/public/forms/1/data-lists/2/items', anAddress(), token);
  expect(await statuses(3, ask('form.token.a'))).toEqual([200, 200, 429]);
  expect(await statuses(1, ask('form.token.b'))).toEqual([200]);
});

describe('limits of anonymous answers', () => {
  const answers = '/api/forms/1/submissions';
  const saves = `${answers}/by-token/s3cr3t`;
  const post = { method: 'POST' };
  const patch = { method: 'PATCH' };

  it('are by address: creates and saves apart, and no other requests', async () => {
    gateway = await startHarness({ settings: limited({ AnonymousCreates: 2, AnonymousSaves: 3 }) });
    const address = anAddress();
    expect(await statuses(3, () => call(answers, address, undefined, post))).toEqual([200, 200, 429]);
    const saveByHeader = () => call(`${answers}/by-token`, address, undefined, patch);
    expect(await statuses(1, saveByHeader)).toEqual([200]);
    expect(await statuses(3, () => call(saves, address, undefined, patch))).toEqual([200, 200, 429]);
    expect(await statuses(1, saveByHeader)).toEqual([429]);
    expect(await statuses(4, () => call(saves, address))).toEqual([200, 200, 200, 200]);
    expect(await statuses(1, () => call(answers, anAddress(), undefined, post))).toEqual([200]);
  });

  it('do not hold for callers with a token', async () => {
    gateway = await startHarness({ settings: limited({ AnonymousCreates: 1 }) });
    const address = anAddress();
    const token = issuer.token({ tid: '1', sub: '7' });
    expect(await statuses(3, () => call(answers, address, token, post))).toEqual([200, 200, 200]);
  });

  it('report what is left, and when to try again', async () => {
    gateway = await startHarness({ settings: limited({ PerAddress: 100, AnonymousCreates: 1 }) });
    const address = anAddress();
    expect(await call(answers, address, undefined, post)).toMatchObject({ limit: '1', remaining: '0' });
    const refused = await call(answers, address, undefined, post);
    expect(refused).toMatchObject({ status: 429, errorCode: 'too_many_requests' });
    expect(refused.retryAfter).toBeGreaterThan(0);
  });
});

it('has no limit and no RateLimit headers where all are turned off', async () => {
  gateway = await startHarness({ settings: limited({}) });
  const address = anAddress();
  const seen = await call('/api/forms', address, issuer.token({ tid: '1', sub: '7' }));
  expect(seen).toMatchObject({ status: 200, limit: null, remaining: null });
});

it('forgets the longest silent clients, and no more', async () => {
  gateway = await startHarness({ settings: limited({ PerAddress: 1, MostKeys: 100 }) });
  const addresses = Array.from({ length: 101 }, (_, n) => `198.18.0.${n}`);
  const first = await call('/api/forms', addresses[0]!);
  const others = await Promise.all(addresses.slice(1).map((address) => call('/api/forms', address)));
  expect(new Set([first, ...others].map(({ status }) => status))).toEqual(new Set([200]));
  expect((await call('/api/forms', addresses[100]!)).status).toBe(429);
  expect((await call('/api/forms', addresses[0]!)).status).toBe(200);
});

it('begins a new window when one has ended', async () => {
  gateway = await startHarness({ settings: limited({ PerAddress: 1, WindowSeconds: 1 }) });
  const address = anAddress();
  await call('/api/forms', address);
  await eventually(async () => expect((await call('/api/forms', address)).status).toBe(200));
});

it('warns once of a proxy that is not trusted', async () => {
  const lines: string[] = [];
  const logger = createLogger('gateway', {
    level: 'warn',
    destination: { write: (line) => void lines.push(line) },
  });
  gateway = await startHarness({ logger });
  await call('/api/forms', anAddress());
  await call('/api/forms', anAddress());
  expect(lines.filter((line) => line.includes('Service:Gateway:TrustedHops is 0'))).toHaveLength(1);
});
