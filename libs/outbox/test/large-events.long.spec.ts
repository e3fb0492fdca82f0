import { eventually, expectMalformedEvents } from '@canvass/testing';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { laneSql } from '../src';
import { outboxFixture, type OutboxFixture } from './outbox-fixture';

const mebibyte = 1024 * 1024;
const batchBytes = 8 * mebibyte;
const heapMegabytes = 256;
const events = 150;

let fixture: OutboxFixture;
beforeEach(async () => {
  fixture = await outboxFixture();
  expectMalformedEvents();
  // Confirms cost less without the consumer of the fixture and without a disk.
  await fixture.broker.close();
  await fixture.vhost.api('DELETE', '/queues/:vhost/seen');
  await fixture.vhost.api('PUT', '/queues/:vhost/sink', { arguments: { 'x-max-length': 1 } });
  await fixture.vhost.api('POST', '/bindings/:vhost/e/service.events/q/sink', { routing_key: '#' });
});
afterEach(() => fixture.end());

/** Events of `sizes` bytes in turn, which do not compress. */
async function fillWith(count: number, sizes: readonly number[]): Promise<void> {
  for (const [at, size] of sizes.entries())
    await fixture.db.query(
      `with body as materialized (
         select string_agg(md5(random()::text), '') as text from generate_series(1, $3::int / 32))
       insert into outbox (lane, event_type, tenant_id, entity, entity_id, revision, data)
       select ${laneSql('n')}, 'form.updated', 1, 'form', n, 1, json_build_object('text', body.text)
         from body, generate_series($1::int, $2::int, $4::int) as n`,
      [at, count - 1, size, sizes.length],
    );
}

/**
 * Drains the outbox in another process.
 *
 * @param maxBytes of a batch
 * @param heap limit of its heap, in MiB
 * @returns the peak of its memory, in bytes
 */
async function drain(maxBytes: number, heap: number): Promise<number> {
  const args = [fixture.db.pool.options.connectionString!, fixture.vhost.url, String(maxBytes)];
  const child = fork(path.join(__dirname, 'drain-process.ts'), args, {
    execArgv: ['--import', 'tsx', `--max-old-space-size=${heap}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(child, 'exit');
  try {
    await eventually(async () => expect(await fixture.pending()).toBe(0), { timeoutMs: 120_000 });
    const answer = once(child, 'message');
    child.send('peak');
    const [peak] = (await answer) as [number];
    return peak;
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

it('drains events of a megabyte within its budget of memory, which it would exceed by whole batches', async () => {
  await fillWith(events, [mebibyte]);
  // In flight are at most 32 MiB, each as text, as message and in the buffers of both connections.
  expect(await drain(batchBytes, heapMegabytes)).toBeLessThan(heapMegabytes * mebibyte);

  await fillWith(events, [mebibyte]);
  const largeHeap = 8 * heapMegabytes;
  expect(await drain(1024 * mebibyte, largeHeap)).toBeGreaterThan(heapMegabytes * mebibyte);
}, 240_000);

it('drains events of every size', async () => {
  await fillWith(16, [4 * mebibyte, 100, 12 * mebibyte, 70_000]);
  expect(await drain(batchBytes, heapMegabytes)).toBeGreaterThan(0);
}, 240_000);
