import {
  defaultHealthPaths,
  endpoint,
  noContent,
  silentLogger,
  startService,
  type RunningService,
} from '@canvass/service-kit';
import { text } from 'node:stream/consumers';
import { rawRequest, startHarness, type Harness } from './harness';

/** Takes anything, as services of ours do. */
function service(): Promise<RunningService> {
  const hosting = { Host: '127.0.0.1', Port: 0, InternalPort: 0, DrainSeconds: 0, ShutdownSeconds: 2 };
  const form = endpoint.write({
    audit: { notRecorded: 'a test' },
    method: 'post',
    path: '/api/forms',
    operationId: 'createForm',
    summary: 'Creates nothing.',
    answers: null,
    access: 'anonymous',
    rawBody: ['text/csv'],
    handle: async ({ request }) => {
      await text(request);
      return noContent();
    },
  });
  return startService({
    service: { name: 'submissions-svc', create: () => ({ endpoints: [form] }) },
    config: {
      Hosting: { ...hosting, ...defaultHealthPaths, PublicHealthDetails: true, MaxConnections: 100 },
      Logging: { Level: 'error' },
    },
    logger: silentLogger,
  });
}

let behind: RunningService;
let gateway: Harness;
beforeAll(async () => {
  behind = await service();
  const { url } = behind;
  gateway = await startHarness({
    settings: { Services: { Submissions: url, DataLists: url, WebHookRelay: url } },
  });
});
afterAll(async () => {
  await gateway.close();
  await behind.stop();
});

const mib = 1024 * 1024;
const post = (headers: string, body = '') =>
  rawRequest(
    gateway.port,
    `POST /api/forms HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/csv\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`,
  );

it('the longest head that the gateway accepts is accepted by a service', async () => {
  for (const body of ['', 'x'.repeat(3 * mib)]) {
    for (let n = 0; n < 5; n += 1) {
      expect((await post(`X-A: ${'a'.repeat(16_200)}\r\n`, body)).status).toBe(204);
    }
  }
});

it('a longer one is refused by the gateway', async () => {
  expect((await post(`X-A: ${'a'.repeat(16_400)}\r\n`)).status).toBe(431);
});
