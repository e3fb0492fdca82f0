import { createDatabase, type Database } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import type { TestDatabase } from '@canvass/testing';
import { formEventHandler } from '../src/access';
import { migratedDatabase, newId } from './harness';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 2 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const largest = String(2n ** 63n - 1n);
const tooLarge = String(2n ** 63n);

function event(changes: Record<string, unknown> = {}, form: Record<string, unknown> = {}) {
  const id = newId();
  return {
    id: newId(),
    type: 'form.updated',
    schemaVersion: 1,
    tenantId: '1',
    entity: 'form',
    entityId: id,
    formId: id,
    revision: '1',
    occurredAt: new Date().toISOString(),
    settings: null,
    traceparent: null,
    data: { id, name: 'A form', isEnabled: true, isPublic: true, dataListIds: ['5'], ...form },
    ...changes,
  };
}

const outcomeOf = (message: unknown) =>
  formEventHandler(
    db,
    silentLogger,
  )({
    messageId: '1',
    body: Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
  });

describe('a form event', () => {
  it.each([
    ['an ordinary one', event()],
    ['the largest ids', event({ tenantId: largest, revision: largest }, { dataListIds: [largest] })],
    ['members of a newer version', event({ more: 1 }, { more: {} })],
    ['a form without lists and with an odd name', event({}, { name: '\ud800"\\', dataListIds: [] })],
    ['an event without lists', event({ type: 'form.webhook_settings_changed', data: {} })],
  ])('with %s is taken', async (_what, message) => {
    expect(await outcomeOf(message)).toBe('ack');
    expect(await outcomeOf(message)).toBe('ack');
  });

  // A message that cannot be stored now never can, and a retry would never end.
  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['nothing', ''],
    ['another shape', event({ schemaVersion: 2 })],
    ['a tenant id beyond 2^63-1', event({ tenantId: tooLarge })],
    ['a revision beyond 2^63-1', event({ revision: tooLarge })],
    ['a revision of zero', event({ revision: '0' })],
    ['a form id beyond 2^63-1', event({}, { id: tooLarge })],
    ['a list id beyond 2^63-1', event({}, { dataListIds: ['1', tooLarge] })],
    ['an id that lost digits', event({}, { id: 2 ** 60 })],
    ['U+0000 in a name', event({}, { name: 'a\0b' })],
    ['no form', event({ data: {} })],
  ])('with %s goes to the dead letters', async (_what, message) => {
    expect(await outcomeOf(message)).toBe('dead');
  });

  it('throws while the database is down, so that it is redelivered', async () => {
    const away = createDatabase({ Url: 'postgres://unknown@127.0.0.1:1/none' });
    const handle = formEventHandler(away, silentLogger);
    await expect(handle({ messageId: '1', body: Buffer.from(JSON.stringify(event())) })).rejects.toThrow();
    await away.close();
  });
});
