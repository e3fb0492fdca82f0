import { Problem } from '@canvass/errors';
import {
  createAuthenticator,
  createFormAccessVerifier,
  createServiceTokens,
  formAccessAudience,
  formAccessClaims,
  formAccessIssuer,
} from '../src';
import { jwkOf, nowSeconds, ownClaims, provider, rsaKey, signed, type TestProvider } from './provider';

const key = rsaKey();
let keys: TestProvider; // one key set for all, so that only the audience differs
const services = createServiceTokens('x'.repeat(32));

beforeAll(async () => {
  keys = await provider();
  keys.state.keys = [jwkOf(key)];
});
afterAll(() => keys.close());

const formToken = (overrides: Record<string, unknown> = {}) =>
  signed(key, {
    ...formAccessClaims(
      {
        tenantId: '42',
        formId: '100',
        dataListIds: ['7', '8'],
        formRevision: '3',
        isPreview: false,
        isAnonymous: true,
      },
      null,
    ),
    iss: formAccessIssuer,
    aud: formAccessAudience,
    exp: nowSeconds() + 60,
    ...overrides,
  });

const authenticator = () =>
  createAuthenticator({
    Own: { Issuer: 'canvass-identity', Audience: 'canvass-api', JwksUri: keys.jwksUri },
    Providers: [],
  });
const forms = () => createFormAccessVerifier({ jwksUri: keys.jwksUri });
const code = async (run: () => unknown) => {
  try {
    await run();
    return 'accepted';
  } catch (err) {
    return err instanceof Problem ? `${err.status} ${err.errorCode}` : String(err);
  }
};

const tokens = {
  access: () => signed(key, ownClaims()),
  form: () => formToken(),
  service: () => services.sign('webhook-relay-svc'),
};
const doors = {
  access: (token: string) => authenticator().authenticate(`Bearer ${token}`),
  form: (token: string) => forms().verify(`Bearer ${token}`),
  service: (token: string) => services.verify(token),
};
const names = ['access', 'form', 'service'] as const;

it.each(names.flatMap((token) => names.map((door) => [token, door] as const)))(
  'a token for %s at an endpoint of %s',
  async (token, door) => {
    expect(await code(() => doors[door](tokens[token]()))).toBe(
      token === door ? 'accepted' : '401 invalid_token',
    );
  },
);

it('reads form, tenant and lists of a form-access token', async () => {
  await expect(forms().verify(`Bearer ${formToken()}`)).resolves.toEqual({
    tenantId: '42',
    formId: '100',
    dataListIds: ['7', '8'],
    formRevision: '3',
    isAnonymous: true,
    isPreview: false,
  });
  await expect(forms().verify(`Bearer ${formToken({ preview: true })}`)).resolves.toMatchObject({
    isPreview: true,
  });
  await expect(forms().verify(`Bearer ${formToken({ anon: true })}`)).resolves.toMatchObject({
    isAnonymous: true,
  });
  await expect(forms().verify(`Bearer ${formToken({ rev: undefined })}`)).resolves.toMatchObject({
    formRevision: null,
  });
});

it.each([
  ['no form', { rid: '0' }],
  ['no tenant', { tid: '' }],
  ['an invalid revision', { rev: 'latest' }],
  ['no lists', { lists: 'all' }],
  ['a list that is not an id', { lists: ['7', '*'] }],
  ['expired', { exp: nowSeconds() - 60 }],
])('refuses a form-access token with %s', async (_name, overrides) => {
  expect(await code(() => forms().verify(`Bearer ${formToken(overrides)}`))).toBe('401 invalid_token');
});

it('requires a form-access token', async () => {
  expect(await code(() => forms().verify(undefined))).toBe('401 authentication_required');
});

describe('service tokens', () => {
  it('name the calling service for a minute', () => {
    let clock = Date.now();
    const own = createServiceTokens('x'.repeat(32), () => clock);
    const token = own.sign('webhook-relay-svc');
    expect(own.verify(token)).toEqual({ service: 'webhook-relay-svc' });
    clock += 91_000;
    expect(() => own.verify(token)).toThrow('expired');
  });

  it('are refused with another secret, changed, or signed by a key', async () => {
    const other = createServiceTokens('y'.repeat(32)).sign('gateway');
    expect(await code(() => services.verify(other))).toBe('401 invalid_token');
    expect(await code(() => services.verify(services.sign('gateway').slice(0, -2)))).toBe(
      '401 invalid_token',
    );
    const byKey = signed(key, { iss: 'gateway', aud: 'canvass-internal', exp: nowSeconds() + 60 });
    expect(await code(() => services.verify(byKey))).toBe('401 invalid_token');
  });

  it('need a secret of 32 bytes', () => {
    expect(() => createServiceTokens('short')).toThrow('32 bytes');
  });

  it('of an accepted secret pass while a secret is replaced, and those of others do not', async () => {
    const [old, next] = ['o'.repeat(32), 'n'.repeat(32)];
    const before = createServiceTokens([old, next]);
    const after = createServiceTokens([next, old]);
    expect(after.verify(before.sign('gateway'))).toEqual({ service: 'gateway' });
    expect(before.verify(after.sign('gateway'))).toEqual({ service: 'gateway' });
    const done = createServiceTokens([next]);
    expect(await code(() => done.verify(before.sign('gateway')))).toBe('401 invalid_token');
  });
});
