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

  it('is stored if its event is newer, whatever its revision is', async () => {
    const formId = newId();
    const [older, newer] = [newId(), newId()];
    const named = (id: string, revision: string, name: string) =>
      event({ id, entityId: formId, formId, revision }, { id: formId, name });
    const stored = async () =>
      (await db.query<{ name: string }>('select name from form_lists where form_id = $1', [formId]))[0]!.name;
    // Revision 9 was lost when the owner of the forms was restored.
    await outcomeOf(named(older, '9', 'before the restore'));
    await outcomeOf(named(newer, '6', 'after the restore'));
    expect(await stored()).toBe('after the restore');
    await outcomeOf(named(older, '9', 'before the restore'));
    expect(await stored()).toBe('after the restore');
  });

  it('that ends a resync marks the forms without an event since as deleted', async () => {
    const tenantId = newId();
    const [lost, kept] = [newId(), newId()];
    const of = (formId: string, type: string) =>
      event({ id: newId(), type, tenantId, entityId: formId, formId }, { id: formId });
    await outcomeOf(of(lost, 'form.created'));
    await outcomeOf(of(kept, 'form.created'));
    const since = newId();
    await outcomeOf(of(kept, 'form.resynced'));
    const end = {
      type: 'tenant.forms_resynced',
      tenantId,
      entity: 'tenant',
      entityId: tenantId,
      formId: null,
    };
    expect(await outcomeOf({ ...event(end), data: { since } })).toBe('ack');
    expect(await outcomeOf({ ...event(end), data: {} })).toBe('dead');
    const rows = await db.query(
      'select form_id, is_deleted from form_lists where tenant_id = $1 order by 1',
      [tenantId],
    );
    expect(rows).toEqual([
      { form_id: lost, is_deleted: true },
      { form_id: kept, is_deleted: false },
    ]);
  });

  it('throws while the database is down, so that it is redelivered', async () => {
    const away = createDatabase({ Url: 'postgres://unknown@127.0.0.1:1/none' });
    const handle = formEventHandler(away, silentLogger);
    await expect(handle({ messageId: '1', body: Buffer.from(JSON.stringify(event())) })).rejects.toThrow();
    await away.close();
  });
});
