import type { ObjectSchema } from 'joi';
import { serviceAccountChangeSchema } from '../src/service-accounts/service-account';
import { userChangeSchema } from '../src/users/user';
import { newUser, proofOf, startHarness, type Harness } from './harness';

let service: Harness;
beforeAll(async () => (service = await startHarness()));
afterAll(() => service.close());

const membersOf = (schema: ObjectSchema): string[] => {
  const { keys = {} } = schema.describe() as { keys?: Record<string, { flags?: { result?: string } }> };
  return Object.keys(keys).filter((name) => keys[name]!.flags?.result !== 'strip');
};

/** The members that the last row of the trail about an object names. */
async function recorded(id: string): Promise<string[]> {
  const [row] = await service.db.query<{ after: { changed?: string[] } | null }>(
    'select after from audit where object_id = $1 order by id desc limit 1',
    [id],
  );
  const { changed = [], ...shown } = row!.after ?? {};
  return [...Object.keys(shown), ...changed];
}

it.each<[string, string[], Record<string, unknown>]>([
  [
    'user',
    membersOf(userChangeSchema),
    {
      email: `other-${Math.random()}@acme.example`,
      name: 'Another name',
      password: 'another long passphrase',
      roles: ['Viewer'],
      isEnabled: false,
    },
  ],
  [
    'service account',
    membersOf(serviceAccountChangeSchema),
    {
      name: 'Another name',
      roles: ['Viewer'],
      isEnabled: false,
      expiresAt: '2100-01-01T00:00:00.000Z',
      formIds: ['4711'],
    },
  ],
])('records each member of a %s that a change names', async (kind, members, values) => {
  expect(Object.keys(values).sort()).toEqual([...members].sort());
  const tenant = await service.newTenant();
  const { token } = tenant;
  const headers = await proofOf(service, tenant);
  for (const name of members) {
    const made =
      kind === 'user'
        ? await newUser(service, token)
        : (await service.call('POST', '/api/service-accounts', { token, body: { name: 'x' } })).body;
    const id = String(made['id' as keyof typeof made]);
    const path = `/api/${kind === 'user' ? 'users' : 'service-accounts'}/${id}`;
    const { status } = await service.call('PATCH', path, { token, headers, body: { [name]: values[name] } });
    expect([name, status, await recorded(id)]).toEqual([name, 200, [name]]);
  }
});
