import { readFileSync } from 'node:fs';
import path from 'node:path';
import { configSchema } from '../src/config';
import { startHarness, newUser, proofOf, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const common = 'is one of the most used passwords; choose another one';
const ownData = 'must not consist of the address, the name or the tenant of the user';

/** Each way to set the password of a user. */
async function ways() {
  const tenant = await service.newTenant();
  const name = 'Grace Hopper';
  const email = `grace.hopper.${tenant.tenantId}@clinic.example`;
  const user = await newUser(service, tenant.token, { email, name });
  const { body } = await service.call('POST', '/api/auth/login', {
    body: { email, password: user.password },
  });
  const headers = await proofOf(service, tenant);
  const set: Record<string, (password: string) => ReturnType<Harness['call']>> = {
    create: (password) =>
      service.call('POST', '/api/users', {
        token: tenant.token,
        body: { email: `x${email}`, name, password },
      }),
    change: (password) =>
      service.call('PATCH', `/api/users/${user.id}`, { token: tenant.token, headers, body: { password } }),
    own: (newPassword) =>
      service.call('POST', '/api/auth/me/password', {
        token: String(body['accessToken']),
        body: { currentPassword: user.password, newPassword },
      }),
  };
  return { tenant, email, set };
}

it.each([
  '1234567890',
  'Password12',
  'QWERTYUIOP',
  'summer2026!',
  'xxxxxxxxxxxx',
  ' '.repeat(10),
  'abcabcabcabc',
])('the password "%s" is refused as one of the most used', async (password) => {
  const { set } = await ways();
  for (const [way, send] of Object.entries(set)) {
    const { status, body } = await send(password);
    const field = way === 'own' ? 'newPassword' : 'password';
    expect([way, status, body['errors']]).toEqual([way, 400, { [field]: [common] }]);
  }
});

it('a password made of the address, the name or the tenant is refused', async () => {
  const { tenant, email, set } = await ways();
  const tried = [email, 'Grace Hopper', 'hopper-Grace1', 'clinic.example', `${tenant.name}!`];
  for (const password of tried) {
    for (const [way, send] of Object.entries(set)) {
      const { status, body } = await send(password);
      const field = way === 'own' ? 'newPassword' : 'password';
      expect([way, password, status, body['errors']]).toEqual([way, password, 400, { [field]: [ownData] }]);
    }
  }
});

it('a password that contains the name among other words is accepted', async () => {
  const { set } = await ways();
  expect((await set['change']!('hopper built a compiler')).status).toBe(200);
});

it('the administrator of a configured tenant cannot have a common password', () => {
  const Bootstrap = [{ Name: 'Clinic', AdminEmail: 'a@b.example', AdminPassword: 'password123' }];
  const { error } = configSchema.validate({ Service: { Bootstrap } }, { abortEarly: false });
  const [fault] = error!.details.filter(({ path: at }) => at.includes('AdminPassword'));
  expect(fault!.message).toContain('most used passwords');
  expect(fault!.message).not.toContain('password123');
});

it('the list has more than 3,000 passwords that are long enough', () => {
  const file = path.join(__dirname, '../assets/common-passwords.txt');
  const lines = readFileSync(file, 'utf8').split('\n');
  const listed = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(new Set(listed).size).toBeGreaterThan(3_000);
  expect(listed.filter((line) => line.length < 10 || line !== line.toLowerCase())).toEqual([]);
});
