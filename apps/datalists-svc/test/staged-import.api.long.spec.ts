import type { DataListItem, ImportChanged } from '@canvass/contracts';
import { createDatabase, type Database } from '@canvass/postgres';
import { eventually } from '@canvass/testing';
import { removeDiscardedBatch } from '../src/items';
import { removeExpiredImports } from '../src/transfer';
import type { ImportedList, Reply } from './client';
import { newId, startHarness, type Harness } from './harness';
import { newStagedList, type KeyPage, type Staged } from './staged-lists';

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

interface Changed {
  value: string;
  before: DataListItem['labels'] | null;
  after: DataListItem['labels'] | null;
}

/** A CSV upload that continues when the test says so. */
function upload(stage: (body: unknown) => Promise<Reply<Staged>>, start: string) {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      controller.enqueue(Buffer.from(start));
    },
  });
  const answer = stage(body);
  return {
    answer,
    send: (text: string) => controller.enqueue(Buffer.from(text)),
    finish() {
      controller.close();
      return answer;
    },
  };
}

/** The types of the events of an import, and the states in them. */
const statesOf = (id: string) =>
  harness.events
    .filter(({ entity, entityId }) => entity === 'import' && entityId === id)
    .map(({ type, data }) => [type, (data as ImportChanged).state]);

const countOf = async (sql: string, id: string) =>
  (await db.query<{ count: number }>(`select count(*)::int as count from ${sql}`, [id]))[0]!.count;

describe('a file without errors', () => {
  const file = 'value,default,nl,fr\na,A,Aaa,\nc,Köln,,Cologne\nd,D,,\n';

  it('is staged without changing the list, compared item by item, and applied', async () => {
    const { admin, path, read, stage } = await newStagedList(harness);
    const before = await read();
    const made = await stage(file, 'text/csv', '?ensureLocales=fr');
    expect([made.status, made.headers.get('location')]).toEqual([201, `${path}/imports/${made.body.id}`]);
    expect(made.body).toMatchObject({
      state: 'ready',
      rows: 3,
      bytes: Buffer.byteLength(file),
      faults: 0,
      isWhole: true,
      difference: { added: 1, changed: 2, removed: 1, unchanged: 0 },
      revision: before.revision,
      createdBy: { subject: expect.any(String) as string },
    });
    expect(await read()).toEqual(before);
    const one = `${path}/imports/${made.body.id}`;
    const again = await admin.get<Staged>(one);
    expect(again.body).toEqual(made.body);
    expect(again.headers.get('etag')).toBe(made.headers.get('etag'));

    const kind = async (name: string, more = '') =>
      (await admin.get<KeyPage<Changed>>(`${one}/difference?kind=${name}${more}`)).body;
    expect((await kind('added')).items).toEqual([{ value: 'd', before: null, after: { default: 'D' } }]);
    expect((await kind('removed')).items).toEqual([{ value: 'b', before: { default: 'B' }, after: null }]);
    expect((await kind('changed')).items.map(({ value }) => value)).toEqual(['a', 'c']);
    expect(await kind('unchanged', '&counts=true')).toMatchObject({
      items: [],
      next: null,
      counts: { added: 1, changed: 2, removed: 1, unchanged: 0 },
    });
    // Compared as a search does.
    expect((await kind('changed', '&query=koln')).items.map(({ value }) => value)).toEqual(['c']);
    expect((await kind('changed', '&query=cologne')).items.map(({ value }) => value)).toEqual(['c']);
    expect((await kind('changed', '&query=nowhere')).items).toEqual([]);

    const apply = (revision: string) =>
      admin.request<ImportedList>('POST', `${one}/apply`, undefined, { 'if-match': `"${revision}"` });
    expect((await apply('1')).status).toBe(412);
    const applied = await apply(made.body.revision!);
    expect([applied.status, applied.body]).toMatchObject([
      200,
      {
        itemsCount: 3,
        availableLocales: ['nl', 'fr'],
        import: { rows: 3, added: 1, changed: 2, removed: 1 },
      },
    ]);
    expect((await read()).items.map(({ value }) => value)).toEqual(['a', 'c', 'd']);
    const after = await admin.get<Staged>(one);
    expect(after.body).toMatchObject({ state: 'applied', revision: applied.body.revision });
    const twice = await admin.request('POST', `${one}/apply`);
    expect([twice.status, twice.body['errorCode']]).toEqual([409, 'conflict']);
    expect((await admin.get(`${one}/difference`)).status).toBe(409);
    expect((await admin.request('DELETE', one)).status).toBe(204);
    expect((await read()).items).toHaveLength(3);
    const states = ['receiving', 'ready', 'applied', 'deleted'];
    await eventually(() =>
      expect(statesOf(made.body.id)).toEqual(states.map((state) => [`import.${state}`, state])),
    );
  });

  it('may come as JSON and as NDJSON', async () => {
    const { stage } = await newStagedList(harness);
    const items = [{ value: 'a', labels: { default: 'A' } }];
    const json = await stage({ items }, 'application/json');
    expect([json.status, json.body]).toMatchObject([201, { state: 'ready', format: 'json', rows: 1 }]);
    const line = await stage(JSON.stringify(items[0]), 'application/x-ndjson');
    expect([line.status, line.body]).toMatchObject([201, { state: 'ready', format: 'ndjson', rows: 1 }]);
  });

  it('is compared with the items of today', async () => {
    const { admin, id, path, stage } = await newStagedList(harness);
    const made = await stage('value,default\nz,Z\n');
    await admin.importItems(id, [{ value: 'z', labels: { default: 'Z' } }]);
    const changes = await admin.get(`${path}/imports/${made.body.id}/difference?counts=true`);
    expect(changes.body).toMatchObject({ counts: { added: 0, changed: 0, removed: 0, unchanged: 1 } });
    const stale = { 'if-match': `"${made.body.revision}"` };
    expect(
      (await admin.request('POST', `${path}/imports/${made.body.id}/apply`, undefined, stale)).status,
    ).toBe(412);
  });

  it('cannot be applied after a locale of its labels was removed', async () => {
    const { admin, path, stage } = await newStagedList(harness);
    const made = await stage('value,default,nl\nz,Z,Y\n');
    await admin.request('DELETE', `${path}/locales/nl`);
    const reply = await admin.request('POST', `${path}/imports/${made.body.id}/apply`);
    expect([reply.status, reply.body['errorCode']]).toEqual([409, 'conflict']);
    expect((await admin.get<Staged>(`${path}/imports/${made.body.id}`)).body.state).toBe('ready');
  });
});

describe('an upload', () => {
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => `v${from + n},L\n`).join('');

  it('shows its progress and can be cancelled', async () => {
    const { admin, path, read, stage } = await newStagedList(harness);
    const before = await read();
    const slow = upload(stage, `value,default\n${rows(0, 1000)}`);
    const running = await eventually(async () => {
      slow.send(rows(Date.now(), 1)); // progress is stored when something arrives
      const [found] = (await admin.get<KeyPage<Staged>>(`${path}/imports?limit=10`)).body.items;
      if (found === undefined || found.rows < 1000) throw new Error('no progress yet');
      return found;
    });
    expect(running).toMatchObject({ state: 'receiving', faults: 0, isWhole: false });
    expect(running.bytes).toBeGreaterThan(5_000);
    expect((await admin.request('POST', `${path}/imports/${running.id}/apply`)).status).toBe(409);
    expect((await admin.request('DELETE', `${path}/imports/${running.id}`)).status).toBe(204);
    const answer = await slow.finish();
    expect([answer.status, answer.body]).toMatchObject([409, { errorCode: 'conflict' }]);
    expect((await admin.get(`${path}/imports/${running.id}`)).status).toBe(404);
    expect(await read()).toEqual(before);
  });

  it('that breaks off leaves nothing', async () => {
    const { admin, id, path } = await newStagedList(harness);
    const ended = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('value,default\na,A\n')),
    });
    const authorization = `Bearer ${harness.own.token({ tid: admin.tenantId, roles: ['Admin'] })}`;
    const sent = fetch(`${harness.service.url}${path}/imports`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'text/csv' },
      body,
      duplex: 'half',
      signal: ended.signal,
    } as RequestInit).catch((error: unknown) => error);
    await eventually(async () => (await countOf('list_imports where list_id = $1', id)) === 1);
    ended.abort();
    await sent;
    await eventually(async () => (await countOf('list_imports where list_id = $1', id)) === 0);
  });

  it('ends in 404 or 409 if its list was deleted', async () => {
    const { admin, path, stage } = await newStagedList(harness);
    const slow = upload(stage, 'value,default\n');
    await eventually(
      async () => (await admin.get<KeyPage<Staged>>(`${path}/imports?limit=1`)).body.items.length === 1,
    );
    expect((await admin.request('DELETE', path)).status).toBe(204);
    slow.send('a,A\n');
    expect([404, 409]).toContain((await slow.finish()).status);
  });
});

it('staged imports expire with their items; what was applied stays', async () => {
  const { admin, id, path, read, stage } = await newStagedList(harness);
  const applied = await stage('value,default\nx,X\n');
  expect((await admin.request('POST', `${path}/imports/${applied.body.id}/apply`)).status).toBe(200);
  const waiting = await stage('value,default\ny,Y\n');
  // Not before its time: the items are kept as long as the import.
  while (await removeDiscardedBatch(db));
  expect(
    (await admin.get(`${path}/imports/${waiting.body.id}/difference?kind=added`)).body['items'],
  ).toHaveLength(1);
  await db.query("update list_imports set expires_at = now() - interval '1 s' where list_id = $1", [id]);
  await db.query(
    "update discarded_versions set discarded_at = now() - interval '2 hours' where list_id = $1",
    [id],
  );
  await removeExpiredImports(db);
  while (await removeDiscardedBatch(db));
  expect((await admin.get(`${path}/imports?total=exact`)).body).toMatchObject({ total: 0, items: [] });
  expect(await countOf("items where list_id = $1 and value = 'y'", id)).toBe(0);
  expect((await read()).items.map(({ value }) => value)).toEqual(['x']);
});

it('a tenant has exactly its quota of staged imports', async () => {
  const limited = await startHarness({}, { StagedImports: 2 });
  try {
    const admin = limited.newTenant();
    const { id } = await admin.createList();
    const path = `/api/data-lists/${id}/imports`;
    const stage = () => admin.request<Staged>('POST', path, { items: [] });
    const made = [(await stage()).status, (await stage()).body.id];
    expect(made).toEqual([201, expect.any(String)]);
    const third = await stage();
    expect([third.status, third.body]).toMatchObject([403, { quota: 'stagedImports', limit: 2 }]);
    expect((await admin.request('POST', `${path}/${made[1]}/apply`)).status).toBe(200);
    expect((await stage()).status).toBe(201);
  } finally {
    await limited.close();
  }
});

it('imports are read by viewers, made by editors, and hidden from other tenants and lists', async () => {
  const { admin, path, stage } = await newStagedList(harness);
  const { id } = (await stage('value,default\nx,X\n')).body;
  const viewer = harness.clientOf(admin.tenantId, ['Viewer']);
  const stranger = harness.newTenant();
  const other = await admin.createList();
  const reads = ['', '/faults', '/difference'].map((rest) => `${path}/imports/${id}${rest}`);
  for (const url of [...reads, `${path}/imports`]) {
    expect([url, (await viewer.get(url)).status]).toEqual([url, 200]);
    expect([url, (await stranger.get(url)).status]).toEqual([url, 404]);
  }
  for (const url of reads) {
    const elsewhere = url.replace(path, `/api/data-lists/${other.id}`);
    expect([elsewhere, (await admin.get(elsewhere)).status]).toEqual([elsewhere, 404]);
  }
  for (const [method, url] of [
    ['POST', `${path}/imports`],
    ['POST', `${path}/imports/${id}/apply`],
    ['DELETE', `${path}/imports/${id}`],
  ] as const) {
    const body = url.endsWith('/imports') ? { items: [] } : undefined;
    expect([url, (await viewer.request(method, url, body)).status]).toEqual([url, 403]);
    expect([url, (await stranger.request(method, url, body)).status]).toEqual([url, 404]);
  }
  expect((await admin.get(`${path}/imports/${newId()}`)).status).toBe(404);
  for (const query of ['kind=x', 'limit=0', 'after=%00', 'after=AA', 'before=AA', 'query=%00'])
    expect([query, (await admin.get(`${path}/imports/${id}/difference?${query}`)).status]).toEqual([
      query,
      400,
    ]);
  const stale = await admin.request('DELETE', `${path}/imports/${id}`, undefined, { 'if-match': '"x"' });
  expect(stale.status).toBe(412);
});
