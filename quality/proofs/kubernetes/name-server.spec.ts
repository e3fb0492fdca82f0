import dns from 'node:dns';
import { NameServer } from './name-server';

const names = new Map([['gateway.canvass.svc.cluster.local', '10.96.0.7']]);
let server: NameServer;

beforeEach(async () => {
  server = await NameServer.listen((name) => names.get(name));
});

afterEach(() => server.close());

function resolver() {
  const asked = new dns.promises.Resolver({ timeout: 10_000, tries: 1 });
  asked.setServers([server.address]);
  return asked;
}

describe('the name server', () => {
  it('answers with the address of a known name, in any case', async () => {
    await expect(resolver().resolve4('Gateway.canvass.svc.cluster.local')).resolves.toEqual(['10.96.0.7']);
  });

  it('says that another name does not exist, and that a known name has no IPv6 address', async () => {
    await expect(resolver().resolve4('gateway.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    const v6 = resolver().resolve6('gateway.canvass.svc.cluster.local');
    await expect(v6).rejects.toMatchObject({ code: 'ENODATA' });
  });
});
