import { startHarness, tenantOf, type Reply, type Tenant, type Harness } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

const MiB = 1024 * 1024;
const maxJsonData = 4 * MiB;
const maxMetadata = MiB;

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous, begin } = submissionCalls(() => test);

/** JSON text of so many bytes that doubles when it is escaped as a string: `"\"\"\"…"` */
const quotes = (bytes: number): string => `"${'\\"'.repeat(bytes / 2 - 1)}"`;
/** JSON text of so many bytes and about half as many characters. */
const twoByteLetters = (bytes: number): string => `"${'ż'.repeat(bytes / 2 - 1)}"`;

type Save = (tenant: Tenant, formId: string, body: unknown) => Promise<Reply<Submission>>;
const saves: [string, number, Save][] = [
  ['a create', 201, (_tenant, formId, body) => anonymous().post(pathOf(formId), body)],
  [
    'a create on behalf',
    201,
    (tenant, formId, body) => tenant.as('Integration').post(`/forms/${formId}/submissions/onbehalf`, body),
  ],
  ...(['put', 'patch'] as const).map((method): [string, number, Save] => [
    method,
    200,
    async (tenant, formId, body) =>
      tenant.admin[method](`${pathOf(formId)}/${(await begin(formId)).id}`, body),
  ]),
  [
    'patch by token',
    200,
    async (_tenant, formId, body) => anonymous().patch(byToken(formId, (await begin(formId)).token), body),
  ],
];

describe.each(saves)('%s', (_name, success, save) => {
  it('accepts jsonData of exactly 4 MiB, which escaping doubles, and keeps its bytes', async () => {
    const tenant = tenantOf(test);
    const jsonData = quotes(maxJsonData);
    expect(Buffer.byteLength(jsonData)).toBe(maxJsonData);
    const { status, body } = await save(tenant, await tenant.form(), { jsonData });
    expect([status, body.jsonData === jsonData]).toEqual([success, true]);
  });

  it('refuses one byte more with a 400 that names the field and the limit', async () => {
    const tenant = tenantOf(test);
    const { status, body } = await save(tenant, await tenant.form(), {
      jsonData: `${twoByteLetters(maxJsonData)} `,
      metadata: `${twoByteLetters(maxMetadata)} `,
    });
    expect([status, body['errors']]).toEqual([
      400,
      {
        jsonData: ['must be at most 4194304 bytes of UTF-8'],
        metadata: ['must be at most 1048576 bytes of UTF-8'],
      },
    ]);
  });
});

it('jsonData and metadata of their limits are taken together, in ASCII, which makes letters three times as long', async () => {
  const escaped = (text: string) =>
    JSON.stringify(text).replace(
      /[^ -~]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  const [jsonData, metadata] = [twoByteLetters(maxJsonData), twoByteLetters(maxMetadata)];
  const { status, body } = await anonymous().post<Submission>(
    pathOf(await tenantOf(test).form()),
    `{"jsonData":${escaped(jsonData)},"metadata":${escaped(metadata)}}`,
  );
  expect([status, body.jsonData === jsonData, body.metadata === metadata]).toEqual([201, true, true]);
});

it('the limit counts bytes, of which letters may have more than one', async () => {
  const jsonData = twoByteLetters(maxJsonData);
  const { status, body } = await anonymous().post<Submission>(pathOf(await tenantOf(test).form()), {
    jsonData,
  });
  expect([status, body.jsonData === jsonData]).toEqual([201, true]);
});

it('a body that is larger than its limit is a 413 that names it', async () => {
  const { status, body } = await anonymous().post(pathOf(await tenantOf(test).form()), {
    jsonData: `"${'x'.repeat(16 * MiB)}"`,
  });
  expect([status, body['errorCode'], body['detail']]).toEqual([
    413,
    'payload_too_large',
    'The body may have 16777216 bytes at most.',
  ]);
});

it('a PATCH whose merged metadata is longer than its limit in bytes is a 400 that names field and limit', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const { token } = await begin(formId, { metadata: `{"a":${twoByteLetters(maxMetadata / 2)}}` });
  const { status, body } = await anonymous().patch(byToken(formId, token), {
    metadata: `{"b":${twoByteLetters(maxMetadata / 2)}}`,
  });
  expect([status, body['errors']]).toEqual([
    400,
    { metadata: ['must be at most 1048576 bytes of UTF-8 after the merge'] },
  ]);
});

it('a profile on behalf of more than 64 KiB is a 400 that names field and limit', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const create = (length: number) =>
    tenant.as('Integration').post(`/forms/${formId}/submissions/onbehalf`, {
      submitter: {
        externalSubjectId: 'crm-1',
        displayId: 'Ada',
        profile: { department: 'x'.repeat(length) },
      },
    });
  const frame = '{"department":""}'.length;
  expect((await create(64 * 1024 - frame)).status).toBe(201);
  const { status, body } = await create(64 * 1024 - frame + 1);
  expect([status, body['errors']]).toEqual([
    400,
    { 'submitter.profile': ['must be at most 65536 bytes as JSON'] },
  ]);
});

it('a repetition by Idempotency-Key replays an answer of 4 MiB', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const body = { jsonData: quotes(maxJsonData) };
  const key = { 'idempotency-key': 'a-key-of-4-mebibytes' };
  const first = await tenant.user().post<Submission>(pathOf(formId), body, key);
  const second = await tenant.user().post<Submission>(pathOf(formId), body, key);
  expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([
    201,
    201,
    'true',
  ]);
  expect(second.body.id).toBe(first.body.id);
  expect(second.body.jsonData === body.jsonData).toBe(true);
});

it('a page of the list whose answers are too large together is a 400 that asks for a smaller one', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  await test.db.query(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
       collection_status)
     select $1, $2, false, false, 0, '"' || repeat('x', $3::integer - 2) || '"', '{}', 'in_progress'
     from generate_series(1, 20)`,
    [tenant.id, formId, maxJsonData],
  );
  const list = (limit: number) => tenant.admin.get(`${pathOf(formId)}?limit=${limit}&total=exact`);
  const refused = await list(20);
  expect([refused.status, refused.body['errors']]).toEqual([
    400,
    { limit: ['must be smaller: the answers on this page have more than 83886080 bytes'] },
  ]);
  const { status, body } = await list(19);
  expect([status, body['total'], (body['items'] as unknown[] | undefined)?.length]).toEqual([200, 20, 19]);
});

describe('with other limits', () => {
  let small: Harness;
  beforeAll(async () => {
    small = await startHarness({ submissions: { MaxJsonDataBytes: 2048, MaxMetadataBytes: 1024 } });
  });
  afterAll(() => small.close());

  it('the service holds to the configured ones', async () => {
    const tenant = tenantOf(small);
    const formId = await tenant.form();
    const create = (jsonData: number, metadata: number) =>
      tenant.admin.post(pathOf(formId), { jsonData: quotes(jsonData), metadata: quotes(metadata) });
    expect((await create(2048, 1024)).status).toBe(201);
    const { status, body } = await create(2050, 1026);
    expect([status, body['errors']]).toEqual([
      400,
      {
        jsonData: ['must be at most 2048 bytes of UTF-8'],
        metadata: ['must be at most 1024 bytes of UTF-8'],
      },
    ]);
  });
});
