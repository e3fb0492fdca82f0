import { eventually, webhookSink } from '@canvass/testing';
import { randomBytes } from 'node:crypto';
import { signIn } from '../src/client';
import { databaseDump } from '../src/database-dump';
import { formsOf, readable } from '../src/secret-forms';
import { startSpy } from '../src/spy';
import { exportedSpans, processLogs, stackFile, stackSecrets } from '../src/stack';
import { exposeSecrets } from '../src/secret-exposure';

/** A text that is no secret: it is put into readable places, to prove that the search covers each place. */
const mark = `planted-${randomBytes(9).toString('base64url')}`;
const markForms = [...formsOf(mark).values()].join(' ');

const places = new Map<string, string>();
let secrets = new Map<string, string>();

beforeAll(async () => {
  const spy = await startSpy();
  const sink = await webhookSink();
  try {
    const exposed = await exposeSecrets(await signIn(), sink, { text: mark, forms: markForms });
    secrets = new Map([...Object.entries(await stackSecrets()), ...exposed.secrets]);
    const { services } = await stackFile();
    const metrics = Object.values(services).map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text());
    const health = Object.values(services).map(async ({ url }) =>
      (await fetch(`${url}/health/detail`)).text(),
    );
    // The log line of a request is written after its response.
    const logs = await eventually(async () => {
      const all = await processLogs();
      for (const name of Object.keys(services)) expect(all[`${name}.log`]).toContain(mark);
      return all;
    });
    places.set('logs', JSON.stringify(logs));
    // Spans are exported about a second later.
    const spans = await eventually(async () => {
      const all = await exportedSpans();
      expect(new Set(all.map(({ service }) => service)).size).toBe(Object.keys(services).length);
      expect(JSON.stringify(all)).toContain('rotate-secret');
      return all;
    });
    places.set('spans', JSON.stringify(spans));
    places.set('metrics', (await Promise.all(metrics)).join('\n'));
    places.set('health', (await Promise.all(health)).join('\n'));
    places.set('answers', exposed.answers);
    places.set('log API', exposed.log);
    places.set('messages', await spy.messages());
    places.set('database', await databaseDump());
  } finally {
    await Promise.all([spy.stop(), sink.close()]);
  }
}, 240_000);

const names = ['spans', 'logs', 'metrics', 'health', 'answers', 'log API', 'messages', 'database'];

it.each(names)('no secret that went through the stack is readable in the %s', (place) => {
  expect(secrets.size).toBeGreaterThan(25);
  expect(readable(places.get(place) ?? '', secrets)).toEqual([]);
});

describe('the search for secrets finds a planted text', () => {
  it.each(['messages', 'database', 'log API'])('in the %s, in every encoding', (place) => {
    const found = readable(places.get(place) ?? '', new Map([['mark', mark]]));
    expect(found).toEqual([...formsOf(mark).keys()].map((form) => `mark (${form})`));
  });

  it.each(['logs', 'answers'])('in the %s of a marked request', (place) => {
    expect(readable(places.get(place) ?? '', new Map([['mark', mark]]))).toContain('mark (clear)');
  });

  it('in the log of every service', async () => {
    const logs = await processLogs();
    for (const name of Object.keys((await stackFile()).services))
      expect(readable(logs[`${name}.log`] ?? '', new Map([['mark', mark]]))).toContain('mark (clear)');
  });

  it.each([
    ['spans', 'by-token'],
    ['metrics', 'http_request'],
    ['health', 'service-self'],
  ])('in the %s, which contain %s', (place, known) => {
    expect(readable(places.get(place) ?? '', new Map([['known', known]]))).toContain('known (clear)');
  });

  it.each([0, 1, 2, 3])('in base64 with %s bytes before it', (before) => {
    const text = Buffer.from(`${'x'.repeat(before)}${mark} and more`);
    for (const encoding of ['base64', 'base64url'] as const)
      expect(readable(text.toString(encoding), new Map([['mark', mark]]))).not.toEqual([]);
  });
});
