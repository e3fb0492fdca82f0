import { createDatabase } from '@canvass/postgres';
import { eventually, FaultyProxy } from '@canvass/testing';
import { outboxCheck } from '../src';
import { change, outboxFixture, type OutboxFixture } from './outbox-fixture';

let fixture: OutboxFixture;
beforeAll(async () => (fixture = await outboxFixture()));
afterAll(() => fixture.end());

it('an event that waits for more than a minute makes the check Degraded', async () => {
  const dispatcher = fixture.dispatcher();
  const { check } = outboxCheck(dispatcher);
  await change(fixture.db, '8');
  expect(await check()).toMatchObject({ status: 'Healthy', data: { pending: 1, poisoned: 0 } });
  await fixture.db.query(`update outbox set created_at = now() - interval '61 seconds'`);
  expect(await check()).toMatchObject({
    status: 'Degraded',
    description: 'Events have waited to be published for more than 60 s.',
  });
  dispatcher.start();
  await eventually(async () => expect((await check()).status).toBe('Healthy'));
  await dispatcher.stop();
});

it('a leader whose database is silent without a reset ends its session and leads again', async () => {
  const address = new URL(fixture.db.pool.options.connectionString!);
  const port = Number(address.port);
  const proxy = new FaultyProxy(() => [port]);
  address.host = `127.0.0.1:${await proxy.listen()}`;
  const db = createDatabase({ Url: address.href }, { applicationName: 'silent' });
  const dispatcher = fixture.dispatcher('silent', { db });
  const joined = () => fixture.lines.filter(({ message }) => message === 'joined the outbox').length;
  const before = joined();
  dispatcher.start();
  await eventually(() => joined() === before + 1);
  proxy.lose();
  // The lost server ends with its sessions. The other side of the proxy is this server, so end them here.
  await fixture.killLeaders('silent');
  const count = fixture.seen.length;
  await change(fixture.db, '10');
  await eventually(() => fixture.seen.length === count + 1);
  expect(fixture.lines).toContainEqual(
    expect.objectContaining({
      message: 'lost the outbox; trying again',
      details: { error: 'Query read timeout' },
    }),
  );
  await dispatcher.stop();
  await db.close();
  await proxy.close();
});
