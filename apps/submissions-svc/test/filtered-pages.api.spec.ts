import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, type Submission } from './submission-calls';

/** Submissions of the form. */
const count = 11_950;
/** Numbers of the submissions that match, counted from the oldest. */
const matching = [6_500, 6_501, 11_900];

let test: Harness;
let tenant: Tenant;
let list: string;
let expected: string[];
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['dept'] } });
  tenant = tenantOf(test);
  const formId = await tenant.form();
  list = pathOf(formId);
  const made = await test.db.query<{ id: string }>(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status, submitter_display_id)
     select $1, $2, false, false, n % 2, case when n = any ($4::integer[]) then '{"order":"A-7"}' else '{"order":"B-1"}' end,
       case when n = any ($4::integer[]) then '{"a":1}' else '{}' end, 'in_progress',
       case when n = any ($4::integer[]) then 'Ada Lovelace' end
     from generate_series(1, $3::integer) n returning id`,
    [tenant.id, formId, count, matching],
  );
  await test.db.query('analyze submissions');
  const ids = made.map(({ id }) => id).sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));
  expected = matching.map((n) => ids[count - n]!).reverse();
});
afterAll(() => test.close());

interface Page {
  items: Submission[];
  next: string | null;
  previous: string | null;
  total: number | null;
}

async function read(query: string): Promise<Page> {
  const { status, body } = await tenant.admin.get<Page>(`${list}?${query}`);
  expect([status, body]).toMatchObject([200, {}]);
  return body;
}

async function walk(query: string, cursor: 'next' | 'previous', start = ''): Promise<Page[]> {
  const pages = [await read(`limit=2&${query}${start}`)];
  for (let at = pages[0]![cursor]; at !== null; at = pages.at(-1)![cursor])
    pages.push(await read(`limit=2&${query}&${cursor === 'next' ? 'after' : 'before'}=${at}`));
  return pages;
}

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ items }) => items.map(({ id }) => id));

describe.each([
  ['an answer', 'filter=answers.order:A-7'],
  ['metadata', 'filter=metadata:{"a":1}'],
  ['a search', 'search=lovelace'],
])('pages with %s', (_, condition) => {
  it('have matches as long as matches follow, however far apart they are', async () => {
    const pages = await walk(condition, 'next');
    expect(idsOf(pages)).toEqual(expected);
    expect(pages.map(({ items }) => items.length)).toEqual([2, 1]);
    expect(pages[0]!.previous).toBeNull();
    const oldestFirst = await walk(`${condition}&sortDir=asc`, 'next');
    expect(idsOf(oldestFirst)).toEqual([...expected].reverse());
  });

  it('lead back to the first one', async () => {
    const forward = await walk(condition, 'next');
    const back = await walk(condition, 'previous', `&before=${forward.at(-1)!.previous}`);
    expect(idsOf(back)).toEqual(expected.slice(0, 2));
    expect(await read(`limit=2&${condition}&after=${back.at(-1)!.next}`)).toEqual(forward.at(-1));
  });

  it('have the total of all matches on request', async () => {
    expect(await read(`limit=2&${condition}&total=exact`)).toMatchObject({ total: 3, items: [{}, {}] });
  });

  it('keep the other conditions', async () => {
    const pages = await walk(`${condition}&filter=currentPage:1`, 'next');
    expect(idsOf(pages)).toEqual([expected[1]]);
  });
});

describe('pages with a value', () => {
  /** Far apart. */
  const approved = [1_000, 11_900];
  let few: string[];
  beforeAll(async () => {
    const found = await test.db.query<{ id: string }>(
      `update submissions set status = 'approved' where id = any (
         select (array_agg(id order by id))[n] from submissions, unnest($1::integer[]) n group by n)
       returning id`,
      [approved],
    );
    few = found.map(({ id }) => id).sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));
  });

  it.each([
    ['a value', 'filter=status:approved', 2],
    ['another value', 'filter=status!:new', 2],
    ['a comparison', 'filter=revision>1', 0],
    ['an absent value', 'filter=submitterId:null&filter=status:approved', 2],
    ['an absent profile', 'filter=submitterProfile.dept!:IT&filter=status:approved', 2],
  ])('find all matches of %s', async (_kind, condition, matches) => {
    const wanted = few.slice(0, matches);
    const pages = await walk(condition, 'next');
    expect(idsOf(pages)).toEqual(wanted);
    expect(pages.map(({ items }) => items.length)).toEqual([matches]);
    expect(idsOf(await walk(`${condition}&sortDir=asc`, 'next'))).toEqual([...wanted].reverse());
  });

  it('combine conditions on id and createdAt', async () => {
    const oldest = `filter=id<:${few[1]}&filter=createdAt<:2999-01-01T00:00:00Z`;
    expect((await read(`limit=2&sortBy=id&${oldest}`)).items.map(({ id }) => id)).toEqual([
      few[1],
      expect.any(String),
    ]);
  });
});

it('another order finds the same', async () => {
  const sorted = await read('limit=10&sortBy=createdAt&filter=answers.order:A-7');
  expect(sorted.items).toHaveLength(3);
});
