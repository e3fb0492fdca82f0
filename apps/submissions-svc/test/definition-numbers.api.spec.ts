import { startHarness, tenantOf, type Harness, type Tenant } from './harness';

let test: Harness;
let tenant: Tenant;
beforeAll(async () => {
  test = await startHarness();
  tenant = tenantOf(test);
});
afterAll(() => test.close());

const numbers = '{"a":9007199254740993,"b":[1.0,-0,1e400],"c":{"d":0.10,"e":"1.0"}}';
const others = '{"a":9007199254740995}';

/** The text of a response. */
async function sent(method: string, path: string, body?: string, headers: object = {}): Promise<string> {
  const response = await fetch(test.service.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([expect.any(Number), expect.stringMatching(/^\{/)]);
  expect(response.status).toBeLessThan(300);
  return text;
}

const create = (definition: string, headers?: object) =>
  sent('POST', '/api/forms', `{"name":"F","retentionDays":30.0,"definition":${definition}}`, headers);
const idOf = (form: string) => (JSON.parse(form) as { id: string }).id;

it('a definition comes back as it was written, from every operation and in events', async () => {
  const made = await create(numbers);
  expect(made).toContain(`"definition":${numbers}`);
  expect(made).toContain('"retentionDays":30,');
  const path = `/api/forms/${idOf(made)}`;
  for (const read of [
    path,
    `/api/public${path.slice(4)}`,
    '/api/forms?limit=1',
    '/api/forms?limit=1&fields=definition',
  ])
    expect(await sent('GET', read)).toContain(`"definition":${numbers}`);

  const patched = await sent('PATCH', path, '{"name":"G"}');
  expect(patched).toContain(`"definition":${numbers}`);
  const replaced = await sent('PUT', path, `{"name":"G","isEnabled":true,"definition":${others}}`);
  expect(replaced).toContain(`"definition":${others}`);
  expect(await sent('PATCH', path, `{"definition":${numbers}}`)).toContain(`"definition":${numbers}`);
  expect(await sent('GET', `${path}/versions/3`)).toContain(`"definition":${others}`);
  expect(await sent('POST', `${path}/versions/3/restore`)).toContain(`"definition":${others}`);

  const events = await test.db.query<{ data: string }>(
    'select data::text as data from outbox where tenant_id = $1 order by event_id',
    [tenant.id],
  );
  expect(events.map(({ data }) => /"definition":(.*?\}),"submission/.exec(data)?.[1])).toEqual([
    numbers,
    numbers,
    others,
    numbers,
    others,
  ]);
});

it('a repetition by Idempotency-Key compares the digits, and replays them', async () => {
  const key = { 'idempotency-key': 'digits-of-a-definition' };
  const made = await create(numbers, key);
  expect(await create(numbers, key)).toBe(made);
  const { status } = await tenant.admin.post('/api/forms', { name: 'F', definition: {} }, key);
  expect(status).toBe(409);
});

it('a change of the digits only is one in the audit trail', async () => {
  const path = `/api/forms/${idOf(await create('{"a":1}'))}`;
  await sent('PATCH', path, '{"definition":{"a":1.0}}');
  const [row] = await test.db.query<{ facts: string }>(
    `select to_json(a)::text as facts from audit a where tenant_id = $1 and object_id = $2 and action = 'form.updated'`,
    [tenant.id, path.split('/').pop()],
  );
  expect(row!.facts).toMatch(/"definition":\s*\{"a":1\}.*"definition":\s*\{"a":1\.0\}/);
});
