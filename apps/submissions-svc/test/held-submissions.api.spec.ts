import { startHarness, tenantOf, type Harness } from './harness';
import { byToken, pathOf, submissionCalls } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous, begin } = submissionCalls(() => test);
const withToken = (token: string | undefined) => ({ 'x-submission-token': token! });

describe('a submission token in a header', () => {
  it('reads, saves and completes like one in the path', async () => {
    const formId = await tenantOf(test).form();
    const begun = await begin(formId);
    const path = `${pathOf(formId)}/by-token`;
    const token = withToken(begun['token']);
    const saved = await anonymous().call('PATCH', path, { currentPage: 3 }, token);
    expect(saved).toMatchObject({ status: 200, body: { id: begun['id'], currentPage: 3, revision: '2' } });
    const read = await anonymous().get(path, token);
    expect(read).toMatchObject({ status: 200, body: saved.body });
    expect((await anonymous().get(byToken(formId, begun['token']))).body).toEqual(read.body);
    const completed = await anonymous().call('PATCH', path, { isComplete: true }, token);
    expect(completed).toMatchObject({ status: 200, body: { isComplete: true, token: null } });
    expect((await anonymous().get(path, token)).status).toBe(404);
  });

  it('is a 404 if it is missing, empty, unknown, or of another form', async () => {
    const tenant = tenantOf(test);
    const [formId, other] = [await tenant.form(), await tenant.form()];
    const begun = await begin(other);
    const path = `${pathOf(formId)}/by-token`;
    for (const headers of [{}, withToken(''), withToken('x'.repeat(43)), withToken(begun['token'])]) {
      expect((await anonymous().get(path, headers)).status).toBe(404);
      expect((await anonymous().call('PATCH', path, { isComplete: true }, headers)).status).toBe(404);
    }
    expect((await anonymous().get(`${pathOf(other)}/by-token`, withToken(begun['token']))).status).toBe(200);
  });
});
