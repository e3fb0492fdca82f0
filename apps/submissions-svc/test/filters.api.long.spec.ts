import { walkByKey, type KeyPageReply } from '@canvass/testing';
import fc from 'fast-check';
import { filterOf } from '../src/submissions/filter-query';
import { exportQuery } from '../src/submissions/list.sql';
import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

const profileFields = ['dept', 'urn:acme:unit'];
let test: Harness;
let tenant: Tenant;
let formId: string;
let all: Submission[];
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: profileFields } });
  tenant = tenantOf(test);
  formId = await tenant.form();
  all = await someSubmissions();
});
afterAll(() => test.close());

const { begin } = submissionCalls(() => test);

/** Anonymous and identified, complete, screened out and reviewed ones; every second one has a profile. */
async function someSubmissions(): Promise<Submission[]> {
  const integration = tenant.as('Integration');
  for (let n = 0; n < 24; n += 1) {
    const answers = { currentPage: n % 4, isComplete: n % 3 === 0, jsonData: `{"n":${n % 2}}` };
    if (n % 2 === 0) {
      await begin(formId, n % 8 === 0 ? { collectionOutcome: 'screen_out' } : answers);
      continue;
    }
    const submitter = {
      externalSubjectId: `s${n % 5}`,
      displayId: n % 5 === 0 ? 'Zoë | O\\Neil' : `person ${n % 5}`,
      profile: { dept: n % 3 === 0 ? 'HR' : 'hr', 'urn:acme:unit': `a|b${n % 2}`, other: 'x' },
    };
    const path = `${pathOf(formId)}/onbehalf`;
    const { body } = await integration.post<Submission>(path, { ...answers, submitter });
    if (n % 7 === 0) {
      await tenant.admin.post(`${pathOf(formId)}/${body['id']}/status`, { status: 'approved' });
    }
  }
  return (await listed([])).reverse();
}

/** Every page of the list, one after another. */
async function listed(filters: string[], rest = ''): Promise<Submission[]> {
  const query = filters.map((filter) => `&filter=${encodeURIComponent(filter)}`).join('') + rest;
  const { forward } = await walkByKey(async (page) => {
    const path = `${pathOf(formId)}?${page}${query}`;
    const { status, body } = await tenant.admin.get<KeyPageReply<Submission>>(path);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  }, 7);
  return forward;
}

async function exported(body: object): Promise<Submission[]> {
  const answer = await fetch(`${test.service.url}${pathOf(formId)}/export`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
    },
    body: JSON.stringify({ format: 'ndjson', ...body }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Submission]));
}

const idsOf = (items: Submission[]) => items.map(({ id }) => id!);

describe('the filter', () => {
  const cases: [string, (one: Submission) => boolean][] = [
    ['isComplete:true', ({ isComplete }) => isComplete],
    ['status!:new|read', ({ status }) => status === 'approved'],
    ['currentPage>:1', ({ currentPage }) => currentPage >= 1],
    ['currentPage<2', ({ currentPage }) => currentPage < 2],
    ['collectionStatus:screen_out|complete', (one) => /screen_out|complete/.test(one['collectionStatus']!)],
    ['submitterDisplayId:person 1|person 2', (one) => /^person [12]$/.test(one['submitterDisplayId'] ?? '')],
    ['submitterDisplayId:Zoë \\| O\\Neil', (one) => one['submitterDisplayId'] === 'Zoë | O\\Neil'],
    ['submitterId:', (one) => one['submitterId'] === null],
    ['submitterId!:', (one) => one['submitterId'] !== null],
    ['submitterDisplayId!:person 1', (one) => one['submitterDisplayId'] !== 'person 1'],
    ['completedAt:', (one) => one['completedAt'] === null],
    ['jsonData:{"n":1}', (one) => one['jsonData'] === '{"n":1}'],
    ['submitterProfile.dept:HR', (one) => deptOf(one) === 'HR'],
    ['submitterProfile.dept!:HR', (one) => deptOf(one) !== 'HR'],
    ['submitterProfile.dept:HR|hr', (one) => deptOf(one) !== undefined],
    ['submitterProfile.dept:Hr', () => false],
    ['submitterProfile.urn:acme:unit:a\\|b1', (one) => one['submitterId'] !== null],
    ['submitterProfile.dept:', (one) => deptOf(one) === undefined],
    ['submitterProfile.dept!:', (one) => deptOf(one) !== undefined],
    ['submitterProfile.dept!:null|HR', (one) => deptOf(one) === 'hr'],
    ['submitterProfile.dept:null', (one) => deptOf(one) === undefined],
    ['submitterProfile.dept:\\null', () => false],
    ['submitterId:null', (one) => one['submitterId'] === null],
    ['submittedBy!:null', (one) => one['submittedBy'] !== null],
    ['completedAt:null', (one) => one['completedAt'] === null],
    ['completedAt!:null', (one) => one['completedAt'] !== null],
    ['submitterDisplayId:null|person 1', (one) => [null, 'person 1'].includes(one['submitterDisplayId']!)],
    ['submitterDisplayId:\\null', () => false],
    ['createdAt<2999-01-01T10:15:25', () => true],
    [`createdAt>:2000-01-01`, () => true],
    [`createdAt<2000-01-01T00:00:00+02:00`, () => false],
  ];
  const deptOf = (one: Submission) =>
    (one['submitterProfileSnapshot'] as unknown as Record<string, string> | null)?.['dept'];

  it.each(cases)('%s', async (filter, holds) => {
    const expected = idsOf(all.filter(holds));
    expect(idsOf(await listed([filter])).reverse()).toEqual(expected);
    expect(idsOf(await exported({ filter: [filter] }))).toEqual(expected);
  });

  it('finds what a client reads: equal times, ids and revisions', async () => {
    const one = all[9]!;
    for (const field of ['id', 'createdAt', 'revision', 'modifiedAt'])
      expect(idsOf(await listed([`${field}:${one[field]}`]))).toContain(one['id']);
  });

  it('reads a time without a zone as UTC, in filters and in date bounds', async () => {
    const middle = all[12]!['createdAt']!;
    const bare = middle.replace('Z', '');
    expect(idsOf(await listed([`createdAt:${bare}`]))).toEqual(idsOf(await listed([`createdAt:${middle}`])));
    for (const bound of ['from', 'to'])
      expect(idsOf(await listed([], `&${bound}=${bare}`))).toEqual(
        idsOf(await listed([], `&${bound}=${middle}`)),
      );
    expect(idsOf(await exported({ from: bare }))).toEqual(idsOf(await exported({ from: middle })));
  });

  it('finds the text null, escaped by a backslash', async () => {
    const own = await tenant.form();
    for (const displayId of ['null', '\\null', 'Ann']) {
      const submitter = { externalSubjectId: displayId, displayId, profile: { dept: displayId } };
      await tenant.as('Integration').post(`${pathOf(own)}/onbehalf`, { submitter });
    }
    const found = async (filter: string) => {
      const { body } = await tenant.admin.get<{ items: Submission[] }>(
        `${pathOf(own)}?filter=${encodeURIComponent(filter)}`,
      );
      return body.items.map((one) => one['submitterDisplayId']);
    };
    for (const field of ['submitterDisplayId', 'submitterProfile.dept']) {
      expect(await found(`${field}:null`)).toEqual([]);
      expect(await found(`${field}:\\null`)).toEqual(['null']);
      expect(await found(`${field}:\\\\null`)).toEqual(['\\null']);
    }
  });

  it('several hold together, with search over the display id and date bounds', async () => {
    const filters = ['submitterProfile.dept:hr', 'isComplete:false'];
    expect(idsOf(await listed(filters, '&search=PERSON')).length).toBeGreaterThan(0);
    expect(idsOf(await listed([], '&search=zo%C3%AB'))).toEqual(
      idsOf(all.filter((one) => one['submitterDisplayId']?.startsWith('Zoë'))).reverse(),
    );
    expect(await listed([], '&search=%25')).toEqual([]);
    const middle = all[12]!['createdAt']!;
    const [before, after] = [await listed([], `&to=${middle}`), await listed([], `&from=${middle}`)];
    expect(idsOf([...after, ...before]).reverse()).toEqual(idsOf(all));
    expect(idsOf(await exported({ from: middle }))).toEqual(idsOf(after).reverse());
  });

  it('finds submissions by their creation, whatever time their id has', async () => {
    const other = tenantOf(test);
    const formId = await other.form();
    const { body } = await other.admin.post<Submission>(pathOf(formId), {});
    await test.db.query(`update submissions set created_at = '2024-02-29T12:00:00Z' where id = $1`, [
      body['id'],
    ]);
    const found = async (query: string) =>
      (await other.admin.get<{ items: Submission[] }>(`${pathOf(formId)}?${query}`)).body.items.map(
        ({ id }) => id,
      );
    expect(await found('from=2024-02-29&to=2024-03-01')).toEqual([body['id']]);
    expect(await found('from=2024-03-01')).toEqual([]);
    expect(await found('to=2024-02-29')).toEqual([]);
  });

  it('property: list and export return the same rows for any query', async () => {
    const pool = cases.map(([filter]) => filter);
    const query = fc.record({
      filter: fc.array(fc.constantFrom(...pool), { maxLength: 4 }),
      search: fc.constantFrom('', 'person', 'Z', '1'),
      sortBy: fc.constantFrom(
        'id',
        'createdAt',
        'submitterDisplayId',
        'completedAt',
        'status',
        'currentPage',
      ),
      sortDir: fc.constantFrom('asc', 'desc'),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ filter, search, sortBy, sortDir }) => {
        const list = idsOf(await listed(filter, `&search=${search}&sortBy=${sortBy}&sortDir=${sortDir}`));
        const file = idsOf(await exported({ filter, search }));
        expect(new Set(list).size).toBe(list.length);
        expect([...list].sort((a, b) => Number(BigInt(a) - BigInt(b)))).toEqual(file);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a filter that cannot be read', () => {
  it.each([
    'nonsense',
    'submitterProfileSnapshot:x',
    'tokenHash:x',
    '__proto__:x',
    'toString:x',
    'submitterProfile.other:x',
    'submitterProfile.dept>x',
    'submitterProfile.:x',
    'isComplete:yes',
    'isComplete>true',
    'status:New',
    'currentPage:1e3',
    'currentPage:2147483648',
    'currentPage>1|2',
    'submitterId>',
    'id:9223372036854775808',
    'id:-1',
    'createdAt:yesterday',
    'createdAt>2026-02-31',
    'createdAt>2026-01-01T10',
    'createdAt:null',
    'completedAt>null',
    'isComplete:null',
    'submitterDisplayId:a||b',
    'submitterDisplayId!:|a',
    'submitterProfile.dept:HR|',
    'createdAt>:99999-01-01',
    'createdAt>:9999-12-31T23:59:59.999-14:00',
    'createdAt<0000-01-01',
    "id:1' or true --",
  ])('%s is a 400 on list and export', async (filter) => {
    const query = `?filter=isComplete:true&filter=${encodeURIComponent(filter)}`;
    const list = await tenant.admin.get<Record<string, object>>(pathOf(formId) + query);
    const file = await tenant.admin.post<Record<string, object>>(`${pathOf(formId)}/export`, {
      filter: ['isComplete:true', filter],
    });
    for (const { status, body } of [list, file]) {
      expect(status).toBe(400);
      expect(Object.keys(body['errors']!)).toEqual(['filter[1]']);
    }
  });

  it('and other bad members are named, without a 500', async () => {
    for (const query of [
      'sortBy=jsonData',
      'sortBy=__proto__',
      'sortDir=up',
      'from=x',
      'filter=',
      'page=1',
      'filters=id:1',
      'createdFrom=2099-01-01',
    ])
      expect((await tenant.admin.get(`${pathOf(formId)}?${query}`)).status).toBe(400);
    for (const text of ['jsonData:\u0000', `submitterProfile.dept:"'\\`, 'submitterDisplayId:%_'])
      expect(
        (await tenant.admin.get(`${pathOf(formId)}?filter=${encodeURIComponent(text)}`)).status,
      ).toBeLessThan(500);
    expect((await tenant.admin.get(`${pathOf('1')}?filter=id:1`)).status).toBe(404);
  });
});

it('a profile filter among 20,000 submissions goes through the GIN index', async () => {
  const big = await tenant.form();
  await test.db.query(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status, submitter_profile_snapshot)
     select $1, $2, false, false, 0, '{}', '{}', 'in_progress', jsonb_build_object('dept', 'd' || n % 2000)
     from generate_series(1, 20000) n`,
    [tenant.id, big],
  );
  await test.db.query('analyze submissions');
  const members = { filter: ['submitterProfile.dept:d7|d8'] };
  const { sql, values } = exportQuery(filterOf(tenant.id, big, members, profileFields), 's.json_data');
  const plan = await test.db.query<Record<string, string>>(`explain ${sql}`, values);
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(
    'Bitmap Index Scan on submissions_profile',
  );
  const { body } = await tenant.admin.get(`${pathOf(big)}?filter=${members.filter[0]}&total=exact`);
  expect(body['total']).toBe(20);
});
