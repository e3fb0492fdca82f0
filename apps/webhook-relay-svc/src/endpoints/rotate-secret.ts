import { recordAudit } from '@canvass/audit';
import type { SecretBox } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import type { Transactor } from '@canvass/postgres';
import { lockEndpoint, rotateSecret } from './endpoints.sql';
import { readSecret, type SecretView } from './read-endpoints';
import { newSigningSecret, signingSecretContext } from './secrets';

/** Each secret in force adds a signature to every request. */
const mostSecrets = 5;

/**
 * Gives the endpoint a new signing secret. For `overlapSeconds` the older ones sign beside it, so that a
 * receiver may change its own at any moment of that time; with 0, for a secret that got out, they end at
 * once.
 *
 * @throws {Problem} not_found; conflict while too many secrets are in force
 */
export async function rotate(
  db: Transactor,
  box: SecretBox,
  place: { tenantId: string; endpointId: string },
  overlapSeconds: number,
): Promise<SecretView> {
  const { tenantId, endpointId } = place;
  const sealed = box.seal(newSigningSecret(), signingSecretContext(place));
  return db.transaction(async (tx) => {
    const [endpoint] = await tx.query(lockEndpoint, [tenantId, endpointId]);
    if (!endpoint) throw notFound('webhook endpoint', endpointId);
    const [made] = await tx.query(rotateSecret, [tenantId, endpointId, sealed, overlapSeconds, mostSecrets]);
    if (!made) {
      throw new Problem('conflict', {
        detail: `${mostSecrets} secrets are valid already; wait until one has expired, or rotate with overlapSeconds 0.`,
      });
    }
    const after = { overlapSeconds };
    await recordAudit(tx, { tenantId, object: ['webhook_endpoint', endpointId], after });
    return readSecret(tx, box, tenantId, endpointId);
  });
}
