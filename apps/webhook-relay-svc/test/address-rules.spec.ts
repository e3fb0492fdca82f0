import net from 'node:net';
import { reachable, refusedLiterals, refusedNames, webhookSink } from '@canvass/testing';
import { checkWebhookUrl, createAddressPolicy, type Resolver } from '@canvass/webhook-addresses';
import { createSender } from '../src/pipeline';

const never = new AbortController().signal;
const strict = createAddressPolicy();
const body = Buffer.from('{"Id":"1"}');

interface Dial {
  host: string;
  /** The addresses that the socket may choose from, where a name has several addresses. */
  answers: string[];
}

/** Every connect of the process, noted and refused: nothing foreign is ever dialled. */
function recordDials(): Dial[] {
  const dials: Dial[] = [];
  jest.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
    const dial: Dial = { host: options.host ?? '', answers: [] };
    options.lookup?.(dial.host, { all: true }, (_error, addresses) => {
      if (Array.isArray(addresses)) dial.answers = addresses.map(({ address }) => address);
    });
    dials.push(dial);
    const socket = new net.Socket();
    process.nextTick(() => socket.destroy(Object.assign(new Error('not dialled'), { code: 'ECONNREFUSED' })));
    return socket;
  }) as typeof net.connect);
  return dials;
}

afterEach(() => jest.restoreAllMocks());

async function sendTo(url: string, resolver: Resolver, policy = strict) {
  const sender = createSender({ policy, resolver, totalTimeoutMs: 10_000 });
  const result = await sender.send({ url, headers: { 'X-Key': 'secret' }, body }, never);
  sender.close();
  return result;
}

describe('the check at connect, independent of the check at save', () => {
  it.each(refusedLiterals)('does not connect ($what): $url', async ({ url }) => {
    const dials = recordDials();
    const resolver = jest.fn(() => Promise.resolve(['93.184.216.34']));
    const { outcome, statusCode } = await sendTo(url, resolver);
    expect({ outcome, statusCode }).toEqual({
      outcome: expect.stringMatching(/^(blocked_address|invalid_request)$/),
      statusCode: null,
    });
    expect(dials).toEqual([]);
    expect(resolver).not.toHaveBeenCalled();
  });

  it.each(refusedNames)('does not connect to $host: $addresses', async ({ host, addresses }) => {
    const dials = recordDials();
    const result = await sendTo(`https://${host}/hook`, () => Promise.resolve(addresses));
    expect(result).toMatchObject({ outcome: 'blocked_address', connectMs: null, remoteAddress: null });
    expect(dials).toEqual([]);
  });

  it.each(reachable)('connects to $host, only at a checked address', async ({ host, addresses }) => {
    const dials = recordDials();
    const result = await sendTo(`http://${host}/hook`, () => Promise.resolve(addresses));
    expect(result.outcome).toBe('connection_refused');
    expect(dials).toHaveLength(1);
    const [dial] = dials;
    expect(dial!.answers.length > 0 ? dial!.answers : [dial!.host]).toEqual(addresses);
  });
});

describe('a name whose address changes', () => {
  it('from public at save to private at send is rejected at send', async () => {
    const dials = recordDials();
    const url = 'https://rebind.example/hook';
    expect(await checkWebhookUrl(url, strict, () => Promise.resolve(['93.184.216.34']))).toEqual({
      ok: true,
    });
    expect(await sendTo(url, () => Promise.resolve(['10.0.0.7']))).toMatchObject({
      outcome: 'blocked_address',
      error: 'rebind.example has an address that webhooks may not reach',
    });
    expect(dials).toEqual([]);
  });

  it('between check and connect has no effect: the connection uses the checked address, not the name', async () => {
    const dials = recordDials();
    let asked = 0;
    const rebinding: Resolver = () => Promise.resolve((asked += 1) === 1 ? ['93.184.216.34'] : ['127.0.0.1']);
    await sendTo('http://rebind.example/hook', rebinding);
    expect(asked).toBe(1);
    expect(dials).toEqual([{ host: '93.184.216.34', answers: [] }]);
  });
});

it('a socket that is connected to another address is closed before a byte is sent', async () => {
  const receiver = await webhookSink();
  const { port } = new URL(receiver.url);
  const connect = net.connect;
  // As if a router or a proxy of the network had led the connection to an address of ours.
  jest
    .spyOn(net, 'connect')
    .mockImplementation(((options: net.TcpNetConnectOpts) =>
      connect({ host: '127.0.0.1', port: options.port })) as typeof net.connect);
  const result = await sendTo(`http://hooks.example:${port}/`, () => Promise.resolve(['93.184.216.34']));
  expect(result).toMatchObject({ outcome: 'blocked_address', remoteAddress: '127.0.0.1', statusCode: null });
  expect(receiver.requests).toEqual([]);
  await receiver.close();
});

describe('allowed networks', () => {
  it('are reachable, adjacent networks are not', async () => {
    const dials = recordDials();
    const own = createAddressPolicy({ AllowedNetworks: ['10.1.0.0/16', 'fd12::/32'] });
    const to = (address: string) => sendTo('http://hooks.example/', () => Promise.resolve([address]), own);
    expect(await to('10.1.2.3')).toMatchObject({ outcome: 'connection_refused' });
    expect(await to('fd12::1')).toMatchObject({ outcome: 'connection_refused' });
    expect(await to('10.2.0.1')).toMatchObject({ outcome: 'blocked_address' });
    expect(await to('fd13::1')).toMatchObject({ outcome: 'blocked_address' });
    expect(dials.map(({ host }) => host)).toEqual(['10.1.2.3', 'fd12::1']);
  });

  it('never permit the metadata services', async () => {
    const dials = recordDials();
    const everything = createAddressPolicy({ AllowedNetworks: ['0.0.0.0/0', '::/0'] });
    for (const address of ['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254']) {
      const result = await sendTo('http://hooks.example/', () => Promise.resolve([address]), everything);
      expect(result).toMatchObject({ outcome: 'blocked_address' });
    }
    expect(dials).toEqual([]);
  });
});

describe('a redirect', () => {
  const targets = [
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:1/',
    '//10.0.0.1/',
    '/again',
  ];

  it.each([300, 301, 302, 303, 304, 305, 306, 307, 308])('%i is not followed', async (status) => {
    const receiver = await webhookSink();
    const loopback = createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] });
    const connects = jest.spyOn(net, 'connect');
    for (const location of targets) {
      receiver.respond(() => ({ status, headers: { location, refresh: `0; url=${location}` } }));
      const result = await sendTo(receiver.url, () => Promise.reject(new Error('asked')), loopback);
      expect(result).toMatchObject({ outcome: 'http_3xx', statusCode: status });
    }
    expect(receiver.requests).toHaveLength(targets.length);
    expect(connects).toHaveBeenCalledTimes(targets.length);
    await receiver.close();
  });
});

it('proxy variables of the environment are ignored', async () => {
  const [receiver, proxy] = [await webhookSink(), await webhookSink()];
  const before = { ...process.env };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'GLOBAL_AGENT_HTTP_PROXY']) {
    process.env[name] = process.env[name.toLowerCase()] = proxy.url;
  }
  process.env['NODE_USE_ENV_PROXY'] = '1';
  process.env['NO_PROXY'] = process.env['no_proxy'] = '';
  const result = await sendTo(
    receiver.url,
    () => Promise.reject(new Error('asked')),
    createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] }),
  );
  process.env = before;
  expect(result).toMatchObject({ outcome: 'success' });
  expect(receiver.requests).toHaveLength(1);
  expect(proxy.requests).toEqual([]);
  await Promise.all([receiver.close(), proxy.close()]);
});
