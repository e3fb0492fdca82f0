import { eventually, expectMalformedEvents } from '@canvass/testing';
import { outboxOperations } from '../src';
import { change, outboxFixture, type OutboxFixture } from './outbox-fixture';

let fixture: OutboxFixture;
beforeAll(async () => (fixture = await outboxFixture()));
afterAll(() => fixture.end());

/** Runs an operation by its name, like the command line. */
async function operate(name: string, values: Record<string, string> = {}) {
  const operation = outboxOperations('spec', fixture.db).find((each) => each.name === name)!;
  return (await operation.run({ limit: '50', ...values })).rows as readonly Record<string, unknown>[];
}

it('shows waiting events by the leader of their lanes, and the oldest event', async () => {
  const id = await change(fixture.db, '8');
  await fixture.db.query(`update outbox set created_at = now() - interval '10 minutes'`);
  const unled = { service: 'spec', leader: null, application: null, lanes: 64, pending: 1 };
  expect(await operate('outbox')).toEqual([{ ...unled, oldestAgeSeconds: expect.any(Number) }]);
  const [{ oldestAgeSeconds }] = (await operate('outbox')) as [{ oldestAgeSeconds: number }];
  expect(oldestAgeSeconds).toBeGreaterThanOrEqual(600);
  const stuck = await operate('outbox stuck', { 'older-than': '300' });
  expect(stuck).toEqual([expect.objectContaining({ service: 'spec', lane: 4, eventId: id, entityId: '8' })]);
  expect(stuck[0]).not.toHaveProperty('data');
  expect(await operate('outbox stuck', { 'older-than': '900' })).toEqual([]);

  fixture.dispatcher().start();
  await eventually(async () =>
    expect(await operate('outbox')).toEqual([
      {
        service: 'spec',
        leader: expect.any(Number),
        application: 'dispatcher outbox',
        lanes: 64,
        pending: 0,
        oldestAgeSeconds: null,
      },
    ]),
  );
});

it('shows, retries and discards poisoned events', async () => {
  expectMalformedEvents();
  await fixture.db.query(
    `insert into outbox (lane, event_type, tenant_id, entity, entity_id, revision, data)
     values (0, 'no type', 1, 'form', 16, 1, '{"kept":  1.50}'), (0, 'no type', 1, 'form', 16, 2, '{}')`,
  );
  await eventually(async () => expect(await operate('poison')).toHaveLength(2));
  const [first, second] = await operate('poison');
  expect(first).toMatchObject({
    type: 'no type',
    entityId: '16',
    reason: expect.stringContaining('no type'),
  });
  const event = String(first!['eventId']);
  const [whole] = await operate('poison show', { event });
  expect(whole!['event']).toContain('"kept":  1.50');

  // Repaired: otherwise the retry would be poisoned again.
  await fixture.db.query(
    `update outbox_poison set event = replace(event::text, 'no type', 'form.updated')::json where event_id = $1`,
    [event],
  );
  const before = fixture.seen.length;
  await operate('poison retry', { event });
  await eventually(() =>
    expect(fixture.seen.slice(before)).toMatchObject([{ id: event, data: { kept: 1.5 } }]),
  );
  await operate('poison discard', { event: String(second!['eventId']) });
  expect(await operate('poison')).toEqual([]);
  for (const name of ['poison show', 'poison retry', 'poison discard'])
    await expect(operate(name, { event })).rejects.toThrow(`There is no poisoned event ${event}.`);
});
