import { newUser, startHarness, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

it('GET /api/roles returns each role with its permissions', async () => {
  const { token } = await service.newTenant();
  const { status, body, headers } = await service.call('GET', '/api/roles', { token });
  expect(status).toBe(200);
  const items = body['items'] as { name: string; permissions: string[] }[];
  expect(items.map(({ name }) => name)).toEqual([
    'Admin',
    'Editor',
    'Reviewer',
    'Viewer',
    'Exporter',
    'Respondent',
    'Integration',
  ]);
  expect(items.find(({ name }) => name === 'Respondent')!.permissions).toEqual(['Submissions.Create']);
  const again = { token, headers: { 'if-none-match': headers.get('etag')! } };
  expect((await service.call('GET', '/api/roles', again)).status).toBe(304);
});

it('the roles it returns are those that a user can get', async () => {
  const { token } = await service.newTenant();
  const { body } = await service.call('GET', '/api/roles', { token });
  const roles = (body['items'] as { name: string }[]).map(({ name }) => name);
  const { id } = await newUser(service, token, { roles });
  expect((await service.call('GET', `/api/users/${id}`, { token })).body).toMatchObject({ roles });
});
