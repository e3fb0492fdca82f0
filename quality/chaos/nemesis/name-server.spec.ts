import dns from 'node:dns';
import { NameServer } from './name-server';

let server: NameServer;

beforeEach(async () => {
  server = await NameServer.listen();
});

afterEach(() => server.close());

function resolver(timeout = 10_000) {
  const asked = new dns.promises.Resolver({ timeout, tries: 1 });
  asked.setServers([server.address]);
  return asked;
}

describe('the name server of the harness', () => {
  it('has one address of version 4 for every name, and none of version 6', async () => {
    await expect(resolver().resolve4('receiver-1.test')).resolves.toEqual(['127.0.0.1']);
    await expect(resolver().resolve6('receiver-1.test')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('fails', async () => {
    server.become('fail');
    await expect(resolver().resolve4('receiver-1.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  it('is mute', async () => {
    server.become('mute');
    await expect(resolver(100).resolve4('receiver-1.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });
});
