import { createPublicKey, type JsonWebKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { Client } from 'pg';
import { fetch } from 'undici';
import { eventually } from './eventually';
import { testDatabase } from './test-database';
import { testIssuer } from './test-issuer';
import { testVhost } from './test-vhost';
import { webhookSink } from './webhook-sink';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('testDatabase', () => {
  it('prepares a template once and creates a clone for each caller', async () => {
    let prepared = 0;
    const options = {
      template: `testing-spec ${Date.now()}`,
      schema: 'testing_spec',
      prepare: async (url: string) => {
        prepared += 1;
        await query(url, 'create table marks (mark text)');
      },
    };
    const [one, two] = await Promise.all([testDatabase(options), testDatabase(options)]);
    try {
      expect(prepared).toBe(1);
      await query(one.url, `insert into marks values ('one')`);
      expect(await query(one.adminUrl, 'select mark from testing_spec.marks')).toEqual([{ mark: 'one' }]);
      expect(await query(two.url, 'select mark from marks')).toEqual([]);
      expect(await query(two.url, `select unaccent('Łódź') as text`)).toEqual([{ text: 'Lodz' }]);
    } finally {
      await Promise.all([one.drop(), two.drop()]);
    }
  });

  it('prepares the template again after a failed preparation', async () => {
    const options = { template: `testing-spec failing ${Date.now()}`, schema: 'testing_spec' };
    const failing = testDatabase({
      ...options,
      prepare: () => Promise.reject(new Error('broken migration')),
    });
    await expect(failing).rejects.toThrow('broken migration');
    const database = await testDatabase({ ...options, prepare: () => Promise.resolve() });
    await database.drop();
  });
});

describe('testVhost', () => {
  it('creates and drops a virtual host', async () => {
    const vhost = await testVhost();
    expect(await vhost.api('GET', '/vhosts/:vhost')).toMatchObject({ name: vhost.name });
    expect(new URL(vhost.url).pathname).toBe(`/${vhost.name}`);
    await vhost.drop();
    await expect(vhost.api('GET', '/vhosts/:vhost')).rejects.toThrow('404');
  });
});

describe('testIssuer', () => {
  async function verified(token: string, jwksUri: string) {
    const { keys } = (await (await fetch(jwksUri)).json()) as { keys: (JsonWebKey & { kid: string })[] };
    const kid = jwt.decode(token, { complete: true })?.header.kid;
    const jwk = keys.find((key) => key.kid === kid);
    if (!jwk) throw new Error('unknown key');
    return jwt.verify(token, createPublicKey({ key: jwk, format: 'jwk' }), { algorithms: ['RS256'] });
  }

  it('signs the claims of the own provider, also after a rotation, and forges on request', async () => {
    const issuer = await testIssuer();
    try {
      const before = issuer.token({ tid: '7', roles: ['Admin'] });
      issuer.rotate();
      const after = issuer.token({ kind: 'service', email: undefined });
      expect(await verified(before, issuer.jwksUri)).toMatchObject({
        iss: 'canvass-identity',
        aud: 'canvass-api',
        kind: 'user',
        tid: '7',
        roles: ['Admin'],
      });
      expect(await verified(after, issuer.jwksUri)).toMatchObject({ kind: 'service', roles: [] });
      await expect(verified(issuer.token({}, { forged: true }), issuer.jwksUri)).rejects.toThrow('signature');
      await expect(verified(issuer.token({}, { expiresInSeconds: -5 }), issuer.jwksUri)).rejects.toThrow(
        'expired',
      );
    } finally {
      await issuer.close();
    }
  });

  it('can issue tokens in the shape of Keycloak', async () => {
    const issuer = await testIssuer({ shape: 'keycloak' });
    const claims = jwt.decode(issuer.token({ roles: ['manager'] }));
    await issuer.close();
    expect(claims).toMatchObject({ iss: issuer.issuer, realm_access: { roles: ['manager'] }, typ: 'Bearer' });
    expect(claims).not.toHaveProperty('tid');
  });
});

describe('webhookSink', () => {
  it('records raw bodies and returns the configured responses', async () => {
    const sink = await webhookSink();
    try {
      sink.respond((request) => (request.path === '/fail' ? { status: 500, body: 'no' } : { status: 204 }));
      const failed = await fetch(`${sink.url}/fail`, {
        method: 'POST',
        body: '{"a": 1}',
        headers: { 'X-A': 'b' },
      });
      expect([failed.status, await failed.text()]).toEqual([500, 'no']);
      sink.respond(() => 'reset');
      await expect(fetch(sink.url, { method: 'POST', body: 'x' })).rejects.toThrow();
      expect(sink.requests.map((request) => request.body.toString())).toEqual(['{"a": 1}', 'x']);
      expect(sink.requests[0]?.headers['x-a']).toBe('b');
    } finally {
      await sink.close();
    }
  });
});

describe('eventually', () => {
  it('returns the first successful value, or throws the last error after the timeout', async () => {
    let calls = 0;
    expect(await eventually(() => (++calls < 3 ? false : calls))).toBe(3);
    const never = eventually(() => Promise.reject(new Error('still down')), {
      timeoutMs: 30,
      message: 'service up',
    });
    await expect(never).rejects.toThrow(/service up: still down/);
  });
});
