import { behindLock } from '@canvass/testing';
import { startHarness, tenantOf, type Harness } from './harness';
import { byToken, pathOf, submissionCalls } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous, begin } = submissionCalls(() => test);

interface Versions {
  total: number;
  items: { revision: string; jsonData: string; metadata: string; savedAt: string; replacedAt: string }[];
}

describe('GET .../versions', () => {
  it('has the former answers of every way to save, newest first, and no version for other changes', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token, createdAt } = await begin(formId, { jsonData: '{"n": 1.0}' });
    const one = `${pathOf(formId)}/${id}`;
    await anonymous().patch(byToken(formId, token), { jsonData: '{"n":2}' });
    await tenant.admin.patch(one, { currentPage: 3 });
    await tenant.admin.post(`${one}/status`, { status: 'read' });
    await tenant.admin.patch(one, { metadata: '{"m":1}' });
    await tenant.admin.put(one, { jsonData: '{"n":3}', metadata: '{"m":1}' });
    await tenant.admin.put(one, { jsonData: '{"n":3}', metadata: '{"m":1}' });
    const { body } = await tenant.as('Viewer').get<Versions>(`${one}/versions?total=exact`);
    expect(body.total).toBe(3);
    expect(body.items.map(({ revision, jsonData, metadata }) => [revision, jsonData, metadata])).toEqual([
      ['5', '{"n":2}', '{"m":1}'],
      ['4', '{"n":2}', '{}'],
      ['1', '{"n": 1.0}', '{}'],
    ]);
    expect(body.items[2]).toMatchObject({ savedAt: createdAt });
  });

  it('loses no version when many save at once, and keeps the newest 50', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          anonymous().patch(byToken(formId, token), { jsonData: `${round * 10 + n + 1}` }),
        ),
      );
    }
    const { body } = await tenant.admin.get<Versions>(`${pathOf(formId)}/${id}/versions?limit=200`);
    expect(body.items.map(({ revision }) => Number(revision))).toEqual(
      Array.from({ length: 50 }, (_, n) => 60 - n),
    );
    expect(new Set(body.items.map(({ jsonData }) => jsonData)).size).toBe(50);
  });

  it('shows the newest 50 after saves that all waited for one lock, and lets go of the rest at the next save', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    const save = (n: number) => anonymous().patch(byToken(formId, token), { jsonData: `${n}` });
    const held = async () => {
      const [row] = await test.db.query<{ held: number }>(
        'select count(*)::integer as held from submission_versions where submission_id = $1',
        [id],
      );
      return row!.held;
    };
    for (let n = 1; n <= 50; n += 1) await save(n);
    await behindLock(
      test.db,
      (tx) => tx.query('select from submissions where id = $1 for update', [id]),
      [51, 52, 53, 54, 55].map((n) => () => save(n)),
    );
    const versions = `${pathOf(formId)}/${id}/versions?limit=60&total=exact`;
    const { body } = await tenant.admin.get<Versions>(versions);
    expect(body.total).toBe(50);
    expect(body.items.map(({ revision }) => Number(revision))).toEqual(
      Array.from({ length: 50 }, (_, n) => 55 - n),
    );
    expect(await held()).toBeGreaterThan(50);
    await save(56);
    expect(await held()).toBe(50);
  });

  it('keeps the newest 64 MiB of large answers', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    const largest = (n: number) =>
      `"${String(n)
        .padStart(2, '0')
        .padEnd(4 * 1024 * 1024 - 2, 'x')}"`;
    for (let n = 1; n <= 19; n += 1)
      expect((await anonymous().patch(byToken(formId, token), { jsonData: largest(n) })).status).toBe(200);
    const { body } = await tenant.admin.get<Versions>(`${pathOf(formId)}/${id}/versions?limit=200`);
    // Each has 4 MiB and the two bytes of its metadata.
    expect(body.items.map(({ jsonData }) => Number(jsonData.slice(1, 3)))).toEqual(
      Array.from({ length: 15 }, (_, n) => 18 - n),
    );
  });

  it('is a 404 for another tenant, a deleted submission and one of another form', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id } = await begin(formId);
    const one = `${pathOf(formId)}/${id}`;
    expect((await tenantOf(test).admin.get(`${one}/versions`)).status).toBe(404);
    expect((await tenant.admin.get(`${pathOf(await tenant.form())}/${id}/versions`)).status).toBe(404);
    expect((await anonymous().get(`${one}/versions`)).status).toBe(401);
    await tenant.admin.delete(one);
    expect((await tenant.admin.get(`${one}/versions`)).status).toBe(404);
  });
});

it('submissions have no trigger before updates, with which `returning old` may return an older row', async () => {
  const triggers = await test.db.query(
    `select pg_get_triggerdef(oid) as definition from pg_trigger
     where tgrelid = 'submissions'::regclass and pg_get_triggerdef(oid) ~ ' BEFORE .*UPDATE.* FOR EACH ROW'`,
  );
  expect(triggers).toEqual([]);
});
