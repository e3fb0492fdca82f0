import { eventually } from '@canvass/testing';
import { startHarness, tenantOf, type Harness } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const pathOf = (formId: string) => `/api/forms/${formId}/submissions`;

it('a deleted user leaves neither address nor profile in the respondent, and a disabled one does', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const of = async (sub: string) => {
    const user = tenant.user({ sub, ver: 1, email: `${sub}@example.org`, name: 'Grace' });
    const { body } = await user.post<Record<string, string>>(pathOf(formId), {});
    return { id: body['id']!, submitterId: body['submitterId']!, displayId: body['submitterDisplayId']! };
  };
  const [gone, disabled] = [await of('801'), await of('802')];
  test.own.revoke({ kind: 'user', subject: '802', minVersion: 2 });
  test.own.revoke({ kind: 'user', subject: '801', minVersion: null });
  const read = async (submitterId: string) => (await tenant.admin.get(`/api/submitters/${submitterId}`)).body;
  await eventually(async () =>
    expect(await read(gone.submitterId)).toMatchObject({ displayId: '801', profile: {} }),
  );
  expect(await read(disabled.submitterId)).toMatchObject({ displayId: disabled.displayId });
  // What was stored with the answers stays until an erasure, by which the rest goes too.
  const one = `${pathOf(formId)}/${gone.id}`;
  expect((await tenant.admin.get(one)).body['submitterDisplayId']).toBe(gone.displayId);
  expect((await tenant.admin.get(`/api/submitters?search=801`)).body).toMatchObject({
    items: [{ id: gone.submitterId }],
  });
  expect((await tenant.admin.delete(`/api/submitters/${gone.submitterId}`)).status).toBe(204);
  expect((await tenant.admin.get(one)).body['submitterDisplayId']).toBeNull();
});
