import { statement } from '@canvass/postgres';

/** Returns no row if the challenge was used before. A nonce is random and belongs to one challenge. */
export const useChallenge = statement<{ nonce: Buffer; expiresAt: Date }, { isFirst: true }>(
  'challenges_use',
  `insert into used_challenges (nonce, expires_at) values ($nonce, $expiresAt)
   on conflict (nonce) do nothing returning true as "isFirst"`,
);

export const removeExpired = statement<void>(
  'challenges_remove_expired',
  `delete from used_challenges where expires_at < now() - interval '1 minute'`,
);
