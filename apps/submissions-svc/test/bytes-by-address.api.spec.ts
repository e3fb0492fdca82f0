import { startHarness, tenantOf, type Harness } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ quotas: { AnonymousBytesPerFormAddressAndDay: 1_000 } });
});
afterAll(() => test.close());

const { anonymous } = submissionCalls(() => test);
const answers = (bytes: number) => ({ jsonData: JSON.stringify({ a: 'x'.repeat(bytes - 8) }) });
const from = (address: string) => ({ 'x-forwarded-for': address });

it('anonymous callers from one address send so many bytes to a form a day, with creates and saves', async () => {
  const tenant = tenantOf(test);
  const [formId, other] = [await tenant.form(), await tenant.form()];
  const send = (address: string, bytes: number, to = formId) =>
    anonymous().post<Submission>(pathOf(to), answers(bytes), from(address));
  const begun = await send('192.0.2.1', 600);
  expect(begun.status).toBe(201);
  const path = byToken(formId, begun.body['token']);
  expect((await anonymous().patch(path, answers(300), from('192.0.2.1'))).status).toBe(200);
  const refused = await send('192.0.2.1', 200);
  expect([refused.status, refused.body]).toEqual([
    429,
    expect.objectContaining({
      errorCode: 'daily_quota_exceeded',
      quota: 'anonymousBytesPerFormAddressAndDay',
    }),
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body).not.toHaveProperty('limit');
  expect((await anonymous().patch(path, answers(200), from('192.0.2.1'))).status).toBe(429);
  expect((await anonymous().patch(path, { isComplete: true }, from('192.0.2.1'))).status).toBe(200);
  // Neither other forms and addresses nor callers with a token are affected, nor refused answers counted.
  expect((await send('192.0.2.1', 900, other)).status).toBe(201);
  expect((await send('192.0.2.2', 900)).status).toBe(201);
  expect((await tenant.user().post(pathOf(formId), answers(900), from('192.0.2.1'))).status).toBe(201);
  for (const status of [400, 400])
    expect((await anonymous().post(pathOf(formId), { jsonData: '{' }, from('192.0.2.3'))).status).toBe(
      status,
    );
  expect((await send('192.0.2.3', 1_000)).status).toBe(201);
});

it('an address of IPv6 counts with its /64 network', async () => {
  const formId = await tenantOf(test).form();
  const send = async (address: string) =>
    (await anonymous().post(pathOf(formId), answers(700), from(address))).status;
  expect(await send('2001:db8:1:2::1')).toBe(201);
  expect(await send('2001:db8:1:2:ffff::9')).toBe(429);
  expect(await send('2001:db8:1:3::1')).toBe(201);
});
