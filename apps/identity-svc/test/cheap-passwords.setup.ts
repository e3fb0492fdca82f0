import type * as Argon2 from 'argon2';

/**
 * The specs of this service hash passwords with 1 MiB instead of 46 MiB: nearly every test signs in, and
 * would spend most of its time on that. `password-hashes.api.long.spec.ts` has the real cost.
 */
jest.mock('argon2', () => {
  const argon2 = jest.requireActual<typeof Argon2>('argon2');
  const cheap = { memoryCost: 1_024 };
  return {
    ...argon2,
    hash: (password: string, options: Argon2.Options) => argon2.hash(password, { ...options, ...cheap }),
    verify: (hash: string, password: string) => argon2.verify(hash.replace('m=47104', 'm=1024'), password),
    needsRehash: (hash: string, options: object) => argon2.needsRehash(hash, { ...options, ...cheap }),
  };
});
