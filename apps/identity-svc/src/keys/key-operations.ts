import { newSigningKey, signingKeyExpires } from '@canvass/auth';
import type { Queryable, SigningKeyStore } from '@canvass/postgres';
import type { Operation } from '@canvass/service-kit';
import type { TokenSettings } from '../config';
import { revokeOtherKeys } from '../revocations';

/** The operations of operators on the keys that sign access tokens. */
export function keyOperations(
  db: Queryable,
  store: SigningKeyStore,
  { RotateKeysEveryHours, KeyOverlapHours }: TokenSettings,
): Operation[] {
  const times = { rotateEveryHours: RotateKeysEveryHours, overlapHours: KeyOverlapHours };
  return [
    {
      name: 'keys',
      about: 'Lists the signing keys of access tokens.',
      async run() {
        const keys = await store.load();
        return { rows: keys.map(({ kid, notBefore, expiresAt }) => ({ kid, notBefore, expiresAt })) };
      },
    },
    {
      name: 'keys rotate',
      about: 'Makes a signing key that signs from now on.',
      options: {
        revoke: { about: 'Withdraw all other keys and the tokens that they signed, at once.', kind: 'flag' },
      },
      changes: true,
      async run({ revoke }) {
        const now = Date.now();
        const key = await newSigningKey(new Date(now), new Date(signingKeyExpires(now, times)));
        await store.lock((locked) => locked.insert(key));
        // After the new key: there is always one that signs.
        const withdrawn = revoke === undefined ? [] : await revokeOtherKeys(db, key.kid);
        return {
          rows: [{ kid: key.kid, withdrawn }],
          say: `The key ${key.kid} signs within 5 s. ${withdrawn.length} keys are withdrawn.`,
        };
      },
    },
  ];
}
