import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { answerTo } from './names';

const names = new Map([['gateway.canvass.svc.cluster.local', '10.96.0.7']]);

describe('answerTo', () => {
  let server: Socket;
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });

  beforeAll(async () => {
    server = createSocket('udp4');
    server.on('message', (question, from) => server.send(answerTo(question, names), from.port, from.address));
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
  });
  afterAll(() => server.close());

  it('answers with the address of a known name, in any case', async () => {
    await expect(resolver.resolve4('Gateway.canvass.svc.cluster.local')).resolves.toEqual(['10.96.0.7']);
  });

  it('says that another name does not exist', async () => {
    await expect(resolver.resolve4('gateway.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('says that a known name has no IPv6 address', async () => {
    await expect(resolver.resolve6('gateway.canvass.svc.cluster.local')).rejects.toMatchObject({
      code: 'ENODATA',
    });
  });
});
