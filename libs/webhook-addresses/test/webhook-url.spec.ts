import { checkWebhookUrl, createAddressPolicy, type TargetSettings } from '../src';

const policy = createAddressPolicy();
const publicHost = () => Promise.resolve(['93.184.216.34']);

describe('checkWebhookUrl', () => {
  it.each(['https://example.com/hook', 'http://example.com:8080/a?b=c', 'https://93.184.216.34/'])(
    'accepts %s',
    async (url) => expect(await checkWebhookUrl(url, policy, publicHost)).toEqual({ ok: true }),
  );

  it.each([
    ['no URL', 'hook'],
    ['a relative URL', '/hook'],
    ['another scheme', 'ftp://example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['a user name', 'https://user@example.com/'],
    ['a password', 'https://:secret@example.com/'],
    ['an endless URL', `https://example.com/${'a'.repeat(2048)}`],
    ['no host', 'https://'],
    ['port 0', 'https://example.com:0/'],
    ['no slashes', 'https:example.com'],
    ['one slash', 'https:/example.com'],
    ['three slashes', 'https:///example.com'],
    ['a line break', 'https://exam\nple.com/'],
    ['a space before it', ' https://example.com/'],
  ])('refuses %s', async (_what, url) => {
    expect(await checkWebhookUrl(url, policy, publicHost)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^must/),
    });
  });

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/',
    'http://１２７.０.０.１/',
  ])('refuses the literal address %s without asking the resolver', async (url) => {
    const resolver = jest.fn(publicHost);
    expect(await checkWebhookUrl(url, policy, resolver)).toMatchObject({ ok: false });
    expect(resolver).not.toHaveBeenCalled();
  });

  it('refuses a name when any one of its addresses is not public, without naming the address', async () => {
    const resolver = () => Promise.resolve(['93.184.216.34', '10.0.0.7']);
    expect(await checkWebhookUrl('https://example.com/', policy, resolver)).toEqual({
      ok: false,
      reason: 'must not point to an address that webhooks may not reach',
    });
  });

  it('accepts a name that does not resolve, because the check at connect decides', async () => {
    const resolver = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await checkWebhookUrl('https://example.com/', policy, resolver)).toEqual({ ok: true });
  });

  it.each<[string, Partial<TargetSettings>, string, string | null]>([
    ['http', { RequireHttps: true }, 'http://example.com/', 'must be an https URL'],
    ['https', { RequireHttps: true }, 'https://example.com/', null],
    [
      'another port',
      { AllowedPorts: [443, 8443] },
      'https://example.com:25/',
      'must have one of the ports 443, 8443',
    ],
    ['the port of http', { AllowedPorts: [443] }, 'http://example.com/', 'must have one of the ports 443'],
    ['the port of https', { AllowedPorts: [443] }, 'https://example.com/', null],
    ['a listed port', { AllowedPorts: [443, 8443] }, 'https://example.com:8443/', null],
  ])('with rules of the operator: %s, %j', async (_what, rules, url, reason) => {
    const verdict = await checkWebhookUrl(url, createAddressPolicy(rules), publicHost);
    expect(verdict).toEqual(reason === null ? { ok: true } : { ok: false, reason });
  });

  it('accepts an allowed network', async () => {
    const own = createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] });
    expect(await checkWebhookUrl('http://127.0.0.1:9000/', own)).toEqual({ ok: true });
  });

  it('looks up no name that the proxy resolves, and refuses literal addresses all the same', async () => {
    const Proxy = { NoProxy: ['.inner.example'], Addresses: 'delegated' } as TargetSettings['Proxy'];
    const delegated = createAddressPolicy({ Proxy });
    const resolver = jest.fn(() => Promise.resolve(['10.0.0.7']));
    const check = (url: string) => checkWebhookUrl(url, delegated, resolver);
    expect(await check('https://hooks.example/')).toEqual({ ok: true });
    expect(resolver).not.toHaveBeenCalled();
    expect(await check('https://10.0.0.7/')).toMatchObject({ ok: false });
    expect(await check('https://a.inner.example/')).toMatchObject({ ok: false });
  });
});
