import type { Authenticator, Principal } from '@canvass/auth';
import { createAccountOf } from './accounts';

const now = () => Math.floor(Date.now() / 1000);

function counting(exp: () => number) {
  let calls = 0;
  const principal = (): Principal => ({
    provider: 'Service',
    kind: 'user',
    subject: '7',
    tenantId: '1',
    roles: [],
    permissions: new Set(),
    claims: { exp: exp() },
  });
  const authenticator: Authenticator = {
    authenticate: () => {
      calls += 1;
      return Promise.resolve(principal());
    },
  };
  return { accountOf: createAccountOf(authenticator, 100), calls: () => calls };
}

it('verifies a token once while it is valid', async () => {
  const { accountOf, calls } = counting(() => now() + 3600);
  const first = await accountOf('Bearer a', 'digest of a');
  expect(accountOf('Bearer a', 'digest of a')).toBe(first);
  expect(calls()).toBe(1);
});

it('verifies a token again when it has expired, so that it no longer counts for its account', async () => {
  const { accountOf, calls } = counting(() => now() - 1);
  await accountOf('Bearer a', 'digest of a');
  await accountOf('Bearer a', 'digest of a');
  expect(calls()).toBe(2);
});
