import type { DataListItem, DataListView } from '@canvass/contracts';
import { createDatabase, type Database } from '@canvass/postgres';
import { eventually } from '@canvass/testing';
import { removeDiscardedBatch } from '../src/items';
import type { ImportedList, ImportProblem, Reply } from './client';
import { startHarness, type Harness } from './harness';

let harness: Harness;
let db: Database;
beforeAll(async () => {
  harness = await startHarness();
  db = createDatabase({ Url: harness.database.url, PoolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await harness.close();
});

type WithItems = DataListView & { items: DataListItem[] };

async function newList() {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['nl'] });
  await admin.importItems(id, [{ value: 'old', labels: { default: 'Old' } }]);
  const read = async () => (await admin.get<WithItems>(`/api/data-lists/${id}`)).body;
  const put = <T = ImportedList>(body: unknown, type = 'application/x-ndjson', query = '') =>
    admin.request<T>('PUT', `/api/data-lists/${id}/import${query}`, body, { 'content-type': type });
  return { admin, id, read, put };
}

/** A CSV upload that continues when the test says so. */
function upload(put: (body: unknown, type: string) => Promise<Reply<ImportedList>>, start: string) {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      controller.enqueue(Buffer.from(start));
    },
  });
  const answer = put(body, 'text/csv');
  return {
    answer,
    finish(rest = '') {
      controller.enqueue(Buffer.from(rest));
      controller.close();
      return answer;
    },
  };
}

/** Waits until an import of the tenant has begun. */
const begun = (tenantId: string) =>
  eventually(async () => {
    const sql = `select from discarded_versions where tenant_id = $1 and discarded_at > '-infinity'`;
    return (await db.query(sql, [tenantId])).length === 1;
  });

/** Number of items in the database that are not in force. */
const notInForce = async (tenantId: string) => {
  const sql = `select count(*)::int as items from items where tenant_id = $1 and value <> 'old'`;
  return (await db.query<{ items: number }>(sql, [tenantId]))[0]!.items;
};

describe('NDJSON', () => {
  it('is a line per item; blank lines, CRLF, a byte order mark and no last line break are fine', async () => {
    const { read, put } = await newList();
    const lines = [
      '\ufeff{"value":"a","labels":{"default":"A","NL":"Aa"}}\r\n',
      '\n',
      '  { "labels": { "en": "line\\nbreak \\"q\\" \\\\ \\u00e9" }, "value": "b\\t,;" } \n',
      ' \r\n',
      '{"value":"c","labels":{"default":"C","nl":""}}',
    ];
    const reply = await put(Buffer.from(lines.join('')), 'application/x-ndjson; charset=utf-8');
    expect([reply.status, reply.body.import?.rows]).toEqual([200, 3]);
    expect((await read()).items).toEqual([
      { value: 'a', labels: { default: 'A', nl: 'Aa' } },
      { value: 'b\t,;', labels: { default: 'line\nbreak "q" \\ é' } },
      { value: 'c', labels: { default: 'C' } },
    ]);
    expect((await put(Buffer.from('\n'))).body.itemsCount).toBe(0);
  });

  it('names the line and the path of each fault', async () => {
    const { read, put } = await newList();
    const before = await read();
    const lines = [
      '{"value":"a","labels":{"default":"A"}}',
      '{"value":"a","labels":{"default":"A"}}',
      '',
      '{"value":"b","labels":{"default":"B","fr":"X"}}',
      '{"value":1,"labels":{"default":"B"},"more":1}',
      '[]',
      '{"value":"c","labels":{"default":"C"}',
      '{"value":"\\ud800","labels":{"default":"\\u0000"}}',
      '{"value":"d"}',
      'value,default',
      `{"value":"e","labels":{"default":"${'x'.repeat(501)}"}}`,
    ];
    const reply = await put<ImportProblem>(Buffer.from(lines.join('\n')));
    expect([reply.status, reply.body.errorCode]).toEqual([400, 'import_rejected']);
    expect(reply.body.faults.map(({ line, column, field }) => [line, column, field])).toEqual([
      [2, null, 'value'],
      [4, null, 'labels.fr'],
      [5, null, 'more'],
      [5, null, 'value'],
      [6, null, null],
      [7, null, null],
      [8, null, 'value'],
      [8, null, 'labels.default'],
      [9, null, 'labels'],
      [10, null, null],
      [11, null, 'labels.default'],
    ]);
    expect(reply.body.faults[0]!.message).toBe('The value "a" is already used by line 1.');
    expect(await read()).toEqual(before);
  });

  it('without line breaks is rejected before it is completely in memory', async () => {
    const { put } = await newList();
    const reply = await put<ImportProblem>(Buffer.alloc(3_000_000, 'x'));
    expect(reply.body.faults).toEqual([
      {
        line: 1,
        column: null,
        field: null,
        code: 'line_too_long',
        message: 'The line is longer than 1,048,576 characters.',
      },
    ]);
  });

  it('reads ensureLocales and dryRun from the query', async () => {
    const { read, put } = await newList();
    const item = Buffer.from('{"value":"a","labels":{"default":"A","fr":"B"}}\n');
    const dry = await put(item, 'application/ndjson', '?ensureLocales=fr&dryRun=true');
    expect(dry.body).toMatchObject({ import: { added: 1, removed: 1 }, availableLocales: ['nl'] });
    expect((await read()).items).toHaveLength(1);
    expect((await put(item, 'application/ndjson', '?ensureLocales=fr')).body.availableLocales).toEqual([
      'nl',
      'fr',
    ]);
  });
});

describe('a running upload', () => {
  const rows = Array.from({ length: 5000 }, (_, n) => `v${n},L${n},N\n`).join('');
  const start = `value,default,nl\n${rows}`;

  it('delays neither readers nor other changes of the list', async () => {
    const { admin, id, read, put } = await newList();
    const slow = upload(put, start);
    await begun(admin.tenantId);
    expect((await admin.find(id, { query: 'old' })).totalRecords).toBe(1);
    expect((await admin.request('PATCH', `/api/data-lists/${id}`, { name: 'Renamed' })).status).toBe(200);
    const between = await admin.importCsv(id, 'value,default\nbetween,B\n');
    const answer = await slow.finish('last,L,\n');
    expect(answer.body).toMatchObject({
      name: 'Renamed',
      itemsCount: 5001,
      import: { added: 5001, removed: 1 },
    });
    expect((await read()).items.at(-1)).toEqual({ value: 'last', labels: { default: 'L' } });
    expect(Date.parse(answer.body.modifiedAt)).toBeGreaterThanOrEqual(Date.parse(between.body.modifiedAt));
  });

  it('ends in 409 if the locales of the list have changed', async () => {
    const { admin, id, read, put } = await newList();
    const slow = upload(put, start);
    await begun(admin.tenantId);
    expect((await admin.request('DELETE', `/api/data-lists/${id}/locales/nl`)).status).toBe(204);
    const answer = await slow.finish();
    expect([answer.status, answer.body]).toMatchObject([409, { errorCode: 'conflict' }]);
    expect((await read()).items).toEqual([{ value: 'old', labels: { default: 'Old' } }]);
  });

  it('ends in 404 if the list was deleted, and leaves nothing behind', async () => {
    const { admin, id, put } = await newList();
    const slow = upload(put, start);
    await begun(admin.tenantId);
    expect((await admin.request('DELETE', `/api/data-lists/${id}`)).status).toBe(204);
    expect((await slow.finish()).status).toBe(404);
    await eventually(async () => (await notInForce(admin.tenantId)) === 0);
  });

  it('holds no transaction while it waits for the client', async () => {
    const { admin, put } = await newList();
    const slow = upload(put, start);
    await begun(admin.tenantId);
    await eventually(async () => {
      const sql = `select query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`;
      return (await db.query(sql)).length === 0;
    });
    expect((await slow.finish()).status).toBe(200);
  });

  it('ends in 409 if its items were deleted as those of a crashed import', async () => {
    const { admin, read, put } = await newList();
    const slow = upload(put, start);
    await begun(admin.tenantId);
    while (await removeDiscardedBatch(db, 0));
    const answer = await slow.finish();
    expect([answer.status, answer.body]).toMatchObject([409, { errorCode: 'conflict' }]);
    expect((await read()).items).toEqual([{ value: 'old', labels: { default: 'Old' } }]);
  });

  it('is written in pieces, which a rejection deletes', async () => {
    const { admin, read, put } = await newList();
    const label = 'x'.repeat(200);
    const many = Array.from({ length: 50_000 }, (_, n) => `v${n},${label}\n`).join('');
    const slow = upload(put, `value,default\n${many}`);
    await eventually(async () => (await notInForce(admin.tenantId)) > 20_000);
    expect((await slow.finish('v1,repeated\n')).status).toBe(400);
    await eventually(async () => (await notInForce(admin.tenantId)) === 0);
    expect((await read()).items).toEqual([{ value: 'old', labels: { default: 'Old' } }]);
  });
});

it('slow uploads of a tenant take at most half of the turns, so another tenant imports at once', async () => {
  const [slow, other] = [await newList(), await newList()];
  const uploads = [1, 2, 3].map(() => upload(slow.put, 'value,default\na,A\n'));
  await eventually(async () => {
    const staged = await db.query('select 1 from discarded_versions where list_id = $1', [slow.id]);
    expect(staged).toHaveLength(2);
  });
  for (let n = 0; n < 3; n += 1)
    expect((await other.put('{"value":"b","labels":{"default":"B"}}')).status).toBe(200);
  expect(await db.query('select 1 from discarded_versions where list_id = $1', [slow.id])).toHaveLength(2);
  for (const { finish } of uploads) expect((await finish()).status).toBe(200);
});
