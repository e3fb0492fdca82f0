import { keyPageQuery, keySliceOf, type WithKeys } from '@canvass/postgres';
import { walkByKey, type KeyPageReply } from '@canvass/testing';
import fc from 'fast-check';
import { filterOf, type FilterMembers } from '../src/submissions/filter-query';
import { keyOrderOf, keySourceOf } from '../src/submissions/list.sql';
import { sortableFields } from '../src/filters';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
let tenant: Tenant;
let formId: string;
beforeAll(async () => {
  test = await startHarness();
  tenant = tenantOf(test);
  formId = await tenant.form();
  for (let n = 0; n < 23; n += 1) await add(n);
});
afterAll(() => test.close());

const { begin } = submissionCalls(() => test);

/** Equal and absent values occur in all columns. */
async function add(n: number): Promise<void> {
  const answers = { currentPage: n % 3, isComplete: n % 2 === 0, jsonData: `{"n":${n}}` };
  if (n % 4 === 0) return void (await begin(formId, answers));
  const submitter = { externalSubjectId: `s${n % 5}`, displayId: `person ${'aäAZ'[n % 4]}` };
  const { status } = await tenant
    .as('Integration')
    .post(`${pathOf(formId)}/onbehalf`, { ...answers, submitter });
  expect(status).toBe(201);
}

type Page = KeyPageReply<Submission>;

async function read(parameters: string): Promise<Page> {
  const { status, body } = await tenant.admin.get<Page>(`${pathOf(formId)}?${parameters}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

const idsOf = (items: Submission[]) => items.map(({ id }) => id!);

describe('the list of submissions', () => {
  it('answers with items, cursors and no total', async () => {
    const page = await read('limit=5');
    expect(page).toEqual({
      items: expect.any(Array),
      next: expect.any(String),
      previous: null,
      total: null,
      totalIsExact: false,
    });
    expect(page.items).toHaveLength(5);
  });

  it('counts on request', async () => {
    const exact = await read('total=exact');
    expect(exact).toMatchObject({ total: 23, totalIsExact: true });
    expect(exact.items).toHaveLength(23);
    expect(await read('total=exact&filter=isComplete:true')).toMatchObject({
      total: 12,
      totalIsExact: true,
    });
  });

  it.each(sortableFields.flatMap((field) => [`${field}&sortDir=asc`, `${field}&sortDir=desc`]))(
    'has one order in both directions: sortBy=%s',
    async (sort) => {
      const all = idsOf((await read(`limit=200&sortBy=${sort}`)).items);
      const { forward, backward } = await walkByKey((page) => read(`${page}&sortBy=${sort}`), 8);
      expect(idsOf(forward)).toEqual(all);
      expect(idsOf(backward)).toEqual(all);
    },
  );

  it('property: no insert moves or repeats what a walk shows', async () => {
    const walk = fc.record({
      sortBy: fc.constantFrom(...sortableFields),
      sortDir: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 9 }),
      filter: fc.constantFrom('', '&filter=isComplete:true', '&search=PERSON', '&from=2026-01-01'),
      inserts: fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(walk, async ({ sortBy, sortDir, limit, filter, inserts }) => {
        const rest = `&sortBy=${sortBy}&sortDir=${sortDir}${filter}`;
        const before = idsOf((await read(`limit=200${rest}`)).items);
        const left = [...inserts];
        const insert = async () => {
          const n = left.pop();
          if (n !== undefined) await add(n);
        };
        const ways = await walkByKey((page) => read(page + rest), limit, insert);
        for (const way of [idsOf(ways.forward), idsOf(ways.backward)]) {
          expect(new Set(way).size).toBe(way.length);
          expect(way.filter((id) => before.includes(id))).toEqual(before);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('keeps its place after the submission of the cursor was deleted', async () => {
    const own = await tenant.form();
    for (let n = 0; n < 4; n += 1) await begin(own, {});
    const list = async (parameters: string) =>
      (await tenant.admin.get<Page>(`${pathOf(own)}?${parameters}`)).body;
    const [first, rest] = [await list('limit=2'), await list('limit=10')];
    await tenant.admin.delete(`${pathOf(own)}/${first.items[1]!.id}`);
    expect(idsOf((await list(`limit=2&after=${first.next}`)).items)).toEqual(idsOf(rest.items.slice(2)));
  });
});

describe('fields', () => {
  const answers = { 'a.b': 1, a: { b: 2, c: [{ d: 'x' }] }, empty: null, 'q,1': true };
  let own: string;
  const row = async (fields: string) => {
    const { status, body } = await tenant.admin.get<KeyPageReply<Record<string, unknown>>>(
      `${pathOf(own)}?limit=1&fields=${encodeURIComponent(fields)}`,
    );
    expect([fields, status]).toEqual([fields, 200]);
    return body.items[0]!;
  };
  beforeAll(async () => {
    own = await tenant.form();
    await begin(own, { jsonData: JSON.stringify(answers), metadata: '{"m":1}' });
  });

  it('chooses members, each with its value of the whole submission', async () => {
    const [whole] = (await tenant.admin.get<Page>(`${pathOf(own)}?limit=1`)).body.items;
    expect(await row('id')).toEqual({ id: whole!.id });
    expect(await row('status, revision,status')).toEqual({ status: 'new', revision: '1' });
    expect(await row(Object.keys(whole!).join(','))).toEqual(whole);
  });

  it('chooses answers by path; a name with dots wins, and what is absent is left out', async () => {
    expect(await row('id,answers.a,answers.a.b')).toMatchObject({
      answers: { a: answers.a, 'a.b': 1 },
    });
    expect(await row('answers.a.c.0.d,answers.empty,answers.none,answers.a.c.x,answers.toString')).toEqual({
      answers: { 'a.c.0.d': 'x', empty: null },
    });
  });

  it('reads answers that are no object or cannot be stored as jsonb', async () => {
    for (const jsonData of ['7', '[1]', '"text"', 'null', '{"a":"\\u0000"}']) {
      own = await tenant.form();
      await begin(own, { jsonData });
      expect(await row('answers.a')).toEqual({ answers: jsonData.startsWith('{') ? { a: '\u0000' } : {} });
    }
  });

  it.each(['', 'nothing', 'id,,status', 'answers.', 'answers', '__proto__', 'restrictionKey', 'id,x'])(
    'with "%s" is a 400',
    async (fields) => {
      const { status, body } = await tenant.admin.get<{ errors: object }>(
        `${pathOf(formId)}?fields=${encodeURIComponent(fields)}`,
      );
      expect([status, Object.keys(body.errors)]).toEqual([400, ['fields']]);
    },
  );
});

describe('a list that reads too much', () => {
  it('ends after five seconds with a problem that names what helps', async () => {
    // Of two tenants: a tenant has two turns.
    const other = tenantOf(test);
    const otherForm = await other.form();
    const answers = await test.db.transaction(async (tx) => {
      await tx.query('lock table submissions in access exclusive mode');
      return Promise.all([
        tenant.admin.get(`${pathOf(formId)}?limit=1&sortBy=revision`),
        tenant.admin.get(`${pathOf(formId)}?limit=1&total=exact`),
        other.admin.get(`/api/forms/${otherForm}/stats`),
      ]);
    });
    for (const answer of answers) {
      expect([answer.status, answer.body['errorCode']]).toEqual([400, 'query_too_broad']);
      expect(answer.body['detail']).toContain('from and to');
    }
  });

  describe('with an index', () => {
    let big: string;
    const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000);
    beforeAll(async () => {
      big = await tenant.form();
      await test.db.query(
        `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
           collection_status, completed_at, completed_revision, created_at, status, submitter_profile_snapshot)
         select $1, $2, true, false, 0, '{}', '{}', 'complete', t, 1, t,
           case when n % 400 = 0 then 'approved' else 'new' end, jsonb_build_object('dept', (n % 400)::text)
         from (select n, now() - interval '1 minute' * n as t from generate_series(1, 20000) n) g`,
        [tenant.id, big],
      );
      await test.db.query('analyze submissions');
    });

    it.each<[string, Omit<FilterMembers, 'filter'> & { filter?: string[] }]>([
      ['id', {}],
      ['createdAt', {}],
      ['completedAt', {}],
      ['createdAt', { from: minutesAgo(12_000), to: minutesAgo(10_000) }],
      ['createdAt', { to: minutesAgo(10_000) }],
      ['completedAt', { filter: [`completedAt<:${minutesAgo(10_000).toISOString()}`] }],
      ['id', { filter: ['status:approved'] }],
      ['id', { filter: ['submitterProfile.dept:7'] }],
    ])('reads the submissions of its page only: by %s, %j', async (sortBy, members) => {
      const filter = filterOf(tenant.id, big, { filter: [], ...members }, ['dept']);
      for (const sortDir of ['asc', 'desc'] as const) {
        const order = keyOrderOf({ sortBy, sortDir });
        const source = keySourceOf(filter, { sortBy, sortDir });
        const first = keyPageQuery([source], order, { limit: 20 });
        const rows = await test.db.query<WithKeys<object>>(first.text, first.values);
        const { next } = keySliceOf(rows, [source], order, { limit: 20 });
        const { text, values } = keyPageQuery([source], order, { after: next!, limit: 20 });
        const plan = await test.db.query<Record<string, string>>(
          `explain (analyze, costs off) ${text}`,
          values,
        );
        const lines = plan.map((line) => line['QUERY PLAN']!);
        const read = lines.flatMap(
          (line) => /(?:actual.* rows=|Removed by Filter: )(\d+)/.exec(line)?.[1] ?? [],
        );
        expect(lines.join()).not.toContain('Seq Scan');
        // The profile has 50 matches, which are sorted.
        expect(Math.max(...read.map(Number))).toBeLessThanOrEqual(50);
      }
    });
  });
});

describe('a page that cannot be read', () => {
  const bad = async (parameters: string): Promise<Record<string, string[]>> => {
    const { status, body } = await tenant.admin.get<{ errors: Record<string, string[]> }>(
      `${pathOf(formId)}?${parameters}`,
    );
    expect([parameters, status]).toEqual([parameters, 400]);
    return body.errors;
  };
  /** A cursor of the list with other parts. */
  const forged = async (query: string, ...parts: unknown[]) => {
    const { next } = await read(`limit=1&${query}`);
    const [head] = JSON.parse(Buffer.from(next!, 'base64url').toString()) as [string];
    return Buffer.from(JSON.stringify([head, ...parts])).toString('base64url');
  };

  it('names the cursor', async () => {
    const { next } = await read('limit=2&sortBy=createdAt');
    for (const after of [
      'nonsense',
      '%00',
      next!.slice(1),
      next!,
      (await read('limit=2&sortDir=asc')).next!,
      (await read('limit=2&filter=isComplete:true')).next!,
      (await tenant.admin.get<Page>('/api/submitters?limit=1')).body.next!,
      await forged(''),
      await forged('', 7),
      await forged('', '9223372036854775808'),
      await forged('', "1' or true --"),
      await forged('', '1', 'x'),
    ])
      expect(Object.keys(await bad(`after=${after}`))).toEqual(['after']);
    expect(Object.keys(await bad('before=x'))).toEqual(['before']);
    for (const key of ['x', '2026-02-30T00:00:00.000Z', '2026-01-01', null])
      expect(
        Object.keys(await bad(`sortBy=createdAt&after=${await forged('sortBy=createdAt', '1', key)}`)),
      ).toEqual(['after']);
    for (const [sort, key] of [
      ['currentPage', '2147483648'],
      ['isComplete', 'maybe'],
      ['submitterDisplayId', '\u0000'],
    ])
      expect(
        Object.keys(await bad(`sortBy=${sort}&after=${await forged(`sortBy=${sort}`, '1', key)}`)),
      ).toEqual(['after']);
  });

  it('names the parameter', async () => {
    const { next } = await read('limit=2');
    for (const name of ['page', 'pageSize'])
      expect(await bad(`${name}=1`)).toEqual({ [name]: ['is not a known parameter; use limit and after'] });
    expect(await bad(`after=${next}&before=${next}`)).toEqual({ after: ['cannot be combined with before'] });
    for (const rest of [
      'limit=0',
      'limit=201',
      'limit=x',
      'total=maybe',
      'total=estimated',
      'limit=1&limit=2',
    ])
      expect(Object.keys(await bad(rest))).toHaveLength(1);
  });

  it('finds nothing of another tenant', async () => {
    const { next } = await read('limit=2');
    const other = tenantOf(test);
    expect((await other.admin.get(`${pathOf(formId)}?after=${next}`)).status).toBe(404);
    expect((await other.admin.get(`${pathOf(await other.form())}?after=${next}`)).status).toBe(400);
  });
});
