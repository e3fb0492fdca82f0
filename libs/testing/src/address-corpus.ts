/**
 * Addresses and answers of name servers that webhooks must not reach, and a few that they may reach. Tests run the check
 * of webhook settings and the sender with all of them.
 */

/** Spellings of hosts in a URL, by the kind of address. */
const refusedHosts: Record<string, readonly string[]> = {
  loopback: [
    ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '127.000.000.001'],
    ...['2130706433', '0x7f000001', '0x7f.0.0.1', '0x7f.1', '0X7F.0X0.0X0.0X1', '0x7f.0x1'],
    ...['017700000001', '0177.0.0.1', '0177.1', '00000177.0.0.1', '0177.0x0.1', '0x7f.0000.01'],
    ...['１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', '127%2e0%2e0%2e1', '%31%32%37.0.0.1'],
  ],
  'this host': ['0', '0.0.0.0', '0x0', '00000000000', '0.0.0.1', '0.1', '[::]', '[0:0::0:0]'],
  'private networks': [
    ...['10.0.0.1', '10.1', '167772161', '0xa000001', '012.0.0.1', '0xa.1'],
    ...['172.16.0.1', '172.31.255.255', '2886729729', '0xac100001', '0254.020.0.1'],
    ...['192.168.0.1', '192.168.1', '3232235521', '0xc0a80001', '0300.0250.0.1', '0xc0.0xa8.1'],
  ],
  'cloud metadata': [
    ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '0xa9.0xfe.0xa9.0xfe'],
    ...[
      '169.254.43518',
      '169.16689662',
      '025177524776',
      '169.254.169.254.',
      '169.254.170.2',
      '169.254.170.23',
    ],
    ...['168.63.129.16', '2822734096', '0xa83f8110', '0250.077.0201.020', '168.63.33040', '168.4161808'],
    ...['100.100.100.200', '1684300488', '0x646464c8', '192.0.0.192'],
    ...[
      '[fd00:ec2::254]',
      '[fd00:ec2::23]',
      '[fd20:ce::254]',
      '[::ffff:169.254.169.254]',
      '[::ffff:a83f:8110]',
    ],
    ...['[64:ff9b::a83f:8110]', '[2002:a83f:8110::1]', '[::a83f:8110]', '[64:ff9b::169.254.169.254]'],
  ],
  'IPv4 that is not public': [
    ...['100.64.0.1', '169.254.1.1', '192.0.0.8', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255'],
    ...['198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ],
  'IPv6 loopback': [
    ...[
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::0001]',
      '[0000:0000:0000:0000:0000:0000:0000:0001]',
      '[0::0.0.0.1]',
    ],
  ],
  'IPv4 inside IPv6': [
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:7F00:0001]', '[0:0:0:0:0:ffff:127.0.0.1]'],
    ...['[::ffff:10.0.0.1]', '[::ffff:c0a8:1]', '[::127.0.0.1]', '[::7f00:1]', '[::8.8.8.8]'],
    ...['[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]'],
    ...['[64:ff9b::a00:1]', '[64:ff9b::808:808]', '[64:ff9b:1::a9fe:a9fe]', '[64:ff9b:1::808:808]'],
    ...[
      '[2002:7f00:1::]',
      '[2002:a9fe:a9fe::1]',
      '[2002:a00:1::1]',
      '[2002:c0a8:101::]',
      '[2002:808:808::1]',
    ],
    ...['[2001:0:4136:e378:8000:63bf:80ff:fffe]', '[2001::1]', '[2001:0:808:808::f7f7:f7f7]'],
  ],
  'IPv6 that is not public': [
    ...['[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]', '[fd12:3456:789a::1]', '[ff02::1]', '[ff0e::1]'],
    ...[
      '[100::1]',
      '[2001:db8::1]',
      '[3fff::1]',
      '[2001:2::1]',
      '[2001:10::1]',
      '[5f00::1]',
      '[4000::1]',
      '[8000::1]',
    ],
  ],
};

/** Whole URLs: other schemes, user info, and texts in which parsers find different hosts. */
const refusedUrls: readonly string[] = [
  ...['http://example.com@127.0.0.1/', 'http://127.0.0.1#@example.com/', 'http://127.0.0.1\\@example.com/'],
  ...[
    'http://user:secret@example.com/',
    'http://127.0.0.1?@example.com/',
    'http://example.com:80@127.0.0.1/',
  ],
  ...[
    'http:127.0.0.1/',
    'http:///127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'HTTP://127.0.0.1/',
    ' http://127.0.0.1/ ',
  ],
  ...[
    'http://1\n27.0.0.1/',
    'http://127.0.\t0.1/',
    'http://127.0.0.1:80:80/',
    'http://[::1%25lo]/',
    'http://[::1/',
  ],
  ...[
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_',
    'ws://example.com/',
    '//127.0.0.1/',
  ],
  ...['data:text/plain,hook', 'javascript:alert(1)', 'blob:http://127.0.0.1/', 'unix:/var/run/docker.sock'],
  ...[
    'http://256.256.256.256/',
    'http://127.0.0.1.5/',
    'http://4294967296/',
    'http://0x100000000/',
    'http://',
  ],
];

/** A host name and the addresses that its name servers return. */
export interface NameCase {
  host: string;
  addresses: string[];
}

const publicOnes = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'];

/** Names that are rejected: at least one address is not public, at any place in the list. */
export const refusedNames: readonly NameCase[] = [
  { host: 'localhost', addresses: ['127.0.0.1', '::1'] },
  { host: 'LOCALHOST.', addresses: ['127.0.0.1'] },
  { host: 'app.localhost', addresses: ['::1'] },
  { host: 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', addresses: ['127.0.0.1'] },
  { host: '127.0.0.1.nip.example', addresses: ['127.0.0.1'] },
  { host: 'metadata.google.internal', addresses: ['169.254.169.254'] },
  { host: 'wireserver.example', addresses: ['168.63.129.16'] },
  { host: 'first.example', addresses: ['10.0.0.7', ...publicOnes] },
  { host: 'last.example', addresses: [...publicOnes, '192.168.0.9'] },
  { host: 'between.example', addresses: [publicOnes[0]!, '172.16.9.9', publicOnes[1]!] },
  { host: 'six.example', addresses: [publicOnes[0]!, '::1'] },
  { host: 'mapped.example', addresses: [publicOnes[0]!, '::ffff:127.0.0.1'] },
  { host: 'compatible.example', addresses: ['::7f00:1'] },
  { host: 'nat64.example', addresses: ['64:ff9b::a00:1'] },
  { host: 'sixtofour.example', addresses: ['2002:a00:1::1'] },
  { host: 'teredo.example', addresses: ['2001:0:4136:e378:8000:63bf:80ff:fffe'] },
  { host: 'linklocal.example', addresses: ['fe80::1'] },
  { host: 'zone.example', addresses: ['fe80::1%eth0'] },
  { host: 'unique-local.example', addresses: ['fd00:ec2::254'] },
  { host: 'unspecified.example', addresses: ['0.0.0.0'] },
  { host: 'broadcast.example', addresses: ['255.255.255.255'] },
  { host: 'garbage.example', addresses: ['not-an-address'] },
  {
    host: 'many.example',
    addresses: [...Array.from({ length: 30 }, (_, n) => `93.184.216.${n + 1}`), '10.9.8.7'],
  },
];

/** Literal addresses and other URLs that are rejected without a DNS query. */
export const refusedLiterals: readonly { what: string; url: string }[] = [
  ...Object.entries(refusedHosts).flatMap(([what, hosts]) =>
    hosts.map((host) => ({ what, url: `http://${host}:8080/hook` })),
  ),
  ...refusedUrls.map((url) => ({ what: 'form', url })),
];

/** Names that are allowed, so that a rule that rejects everything fails the tests. */
export const reachable: readonly NameCase[] = [
  { host: '93.184.216.34', addresses: ['93.184.216.34'] },
  { host: '0x5db8d822', addresses: ['93.184.216.34'] },
  { host: '1572395042', addresses: ['93.184.216.34'] },
  { host: '[2606:2800:220:1:248:1893:25c8:1946]', addresses: ['2606:2800:220:1:248:1893:25c8:1946'] },
  { host: 'hooks.example', addresses: ['93.184.216.34'] },
  { host: 'bücher.example', addresses: ['93.184.216.34'] },
  { host: 'both.example', addresses: publicOnes },
];
