import { createAddressPolicy, targetKeys } from '../src';

const policy = createAddressPolicy();

describe('address policy without allowed networks', () => {
  it.each([
    '93.184.216.34',
    '8.8.8.8',
    '2606:2800:220:1:248:1893:25c8:1946',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
  ])('allows the public address %s', (ip) => {
    expect(policy.check(ip)).toEqual({ allowed: true });
  });

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.1.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '100::1',
    '5f00::1',
    '4000::1',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
    '2001:10::1',
    'not an address',
    '',
  ])('refuses %s', (ip) => {
    expect(policy.check(ip)).toEqual({ allowed: false, reason: expect.any(String) });
  });

  it.each([
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped private in hexadecimal', '::ffff:a00:1'],
    ['compatible loopback', '::127.0.0.1'],
    ['compatible public', '::8.8.8.8'],
    ['translated loopback', '::ffff:0:127.0.0.1'],
    ['NAT64 loopback', '64:ff9b::7f00:1'],
    ['NAT64 public', '64:ff9b::808:808'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4 private', '2002:a00:1::1'],
    ['6to4 public', '2002:808:808::1'],
    ['Teredo whose client is 127.0.0.1', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
  ])('refuses an IPv6 form that embeds IPv4: %s', (_what, ip) => {
    expect(policy.check(ip).allowed).toBe(false);
  });
});

describe('metadata addresses', () => {
  it.each([
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '64:ff9b::a83f:8110',
  ])('stay refused although everything is allowed: %s', (ip) => {
    const everything = createAddressPolicy({ AllowedNetworks: ['0.0.0.0/0', '::/0'] });
    expect(everything.check(ip)).toEqual({
      allowed: false,
      reason: 'the address is a cloud metadata service',
    });
  });
});

describe('allowed networks', () => {
  const own = createAddressPolicy({ AllowedNetworks: ['10.1.0.0/16', 'fd12::/32', '64:ff9b::/96'] });

  it.each(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '64:ff9b::808:808', '64:ff9b::a01:203'])(
    'allow what lies inside: %s',
    (ip) => expect(own.check(ip)).toEqual({ allowed: true }),
  );

  it.each(['10.2.0.1', '::ffff:10.2.0.1', 'fd13::1', '64:ff9b::7f00:1', '127.0.0.1', '2002:a01:203::1'])(
    'do not allow what lies outside: %s',
    (ip) => expect(own.check(ip).allowed).toBe(false),
  );

  // svix/svix-webhooks PR 2464, Infisical/infisical PR 6561, getsentry/sentry PR 40625
  it.each([
    ['::1/128', '::1'],
    ['::1/128', '0:0:0:0:0:0:0:1'],
    ['0::1/64', '::1'],
    ['127.0.0.0/8', '::ffff:127.0.0.1'],
    ['127.0.0.0/8', '::ffff:7f00:1'],
    ['127.0.0.1/8', '127.9.9.9'],
    ['::ffff:10.0.0.0/104', '10.1.2.3'],
    ['::ffff:a00:0/104', '::ffff:10.1.2.3'],
    ['FC00::/7', 'fd12::1'],
    ['fe80::/10', 'fe80::1'],
    ['0.0.0.0/0', '127.0.0.1'],
    ['::/0', '::1'],
  ])('%s allows %s', (network, ip) =>
    expect(createAddressPolicy({ AllowedNetworks: [network] }).check(ip)).toEqual({ allowed: true }),
  );

  it.each([
    ['::1/128', '127.0.0.1'],
    ['::1/128', '::2'],
    ['::1/128', '::'],
    ['127.0.0.0/8', '::1'],
    ['127.0.0.0/8', '::127.0.0.1'],
    ['::/128', '::1'],
  ])('%s does not allow %s', (network, ip) =>
    expect(createAddressPolicy({ AllowedNetworks: [network] }).check(ip).allowed).toBe(false),
  );

  it('are checked when the configuration is read', () => {
    expect(targetKeys.AllowedNetworks.validate(['10.0.0.0/8', '::1/128']).error).toBeUndefined();
    expect(targetKeys.AllowedNetworks.validate(['10.0.0.0']).error?.message).toContain('CIDR');
  });
});

describe('denied networks', () => {
  it.each([
    ['a public network of the operator', '203.0.114.0/24', '203.0.114.9'],
    ['the NAT64 prefix of the operator', '2a00:1:2:3::/96', '2a00:1:2:3::a00:7'],
    ['a part of an allowed network', '10.9.0.0/16', '10.9.1.1'],
  ])('%s is refused', (_what, network, ip) => {
    const rules = { AllowedNetworks: ['10.0.0.0/8'] };
    expect(createAddressPolicy(rules).check(ip)).toEqual({ allowed: true });
    expect(createAddressPolicy({ ...rules, DeniedNetworks: [network] }).check(ip)).toEqual({
      allowed: false,
      reason: 'the address is in a denied network',
    });
  });

  it('an IPv4 network is refused in its IPv6 forms too', () => {
    for (const network of ['203.0.114.0/24', '::ffff:203.0.114.0/120']) {
      const policy = createAddressPolicy({ DeniedNetworks: [network] });
      for (const ip of ['203.0.114.9', '::ffff:203.0.114.9']) expect(policy.check(ip).allowed).toBe(false);
    }
  });
});
