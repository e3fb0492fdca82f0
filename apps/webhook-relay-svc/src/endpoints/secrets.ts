import { randomBytes } from 'node:crypto';
import { recordAudit } from '@canvass/audit';
import type { SecretBox } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import { reencrypt, type Queryable, type SealedColumn, type Transactor } from '@canvass/postgres';
import { findSecrets, lockEndpoint, rotateSecret } from './endpoints.sql';

/** The owner of a secret; part of what it is sealed with, so that a copied row opens nowhere else. */
interface SecretPlace {
  tenantId: string;
  endpointId: string;
}

export const signingSecretContext = ({ tenantId, endpointId }: SecretPlace) =>
  `webhooks.signing-secret:${tenantId}:${endpointId}`;

export const credentialsContext = ({ tenantId, endpointId }: SecretPlace) =>
  `webhooks.credentials:${tenantId}:${endpointId}`;

/** A new signing secret, `whsec_<base64 of 32 bytes>` (Standard Webhooks asks for 24 to 64 bytes). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export interface SecretView {
  endpointId: string;
  /** Signs what is sent now. */
  secret: string;
  /** Still accepted beside it while a secret rotates. */
  previous: { secret: string; expiresAt: Date | null }[];
}

/** The signing secret in clear. @throws {Problem} not_found */
export async function readSecret(db: Queryable, box: SecretBox, place: SecretPlace): Promise<SecretView> {
  const { tenantId, endpointId } = place;
  const rows = await db.query(findSecrets({ tenantId, id: endpointId }));
  const [newest, ...previous] = rows.map(({ sealed, expiresAt }) => ({
    secret: box.open(sealed, signingSecretContext(place)),
    expiresAt,
  }));
  if (!newest) throw notFound('webhook endpoint', endpointId);
  return { endpointId, secret: newest.secret, previous };
}

/** Each secret in force adds a signature to every request. */
const maxSecrets = 5;

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
  place: SecretPlace,
  overlapSeconds: number,
): Promise<SecretView> {
  const { tenantId, endpointId: id } = place;
  const sealed = box.seal(newSigningSecret(), signingSecretContext(place));
  return db.transaction(async (tx) => {
    const [endpoint] = await tx.query(lockEndpoint({ tenantId, id }));
    if (!endpoint) throw notFound('webhook endpoint', id);
    const rotation = { tenantId, id, sealed, seconds: overlapSeconds, max: maxSecrets };
    const [made] = await tx.query(rotateSecret(rotation));
    if (!made) {
      throw new Problem('conflict', {
        detail: `${maxSecrets} secrets are valid already; wait until one has expired, or rotate with overlapSeconds 0.`,
      });
    }
    await recordAudit(tx, { tenantId, object: ['webhook_endpoint', id], after: { overlapSeconds } });
    return readSecret(tx, box, place);
  });
}

/** The columns where the relay keeps signing secrets and its copies of credentials. */
export const sealedSecretColumns = (box: SecretBox): SealedColumn[] => {
  const inContext =
    (contextOf: (place: SecretPlace) => string): SealedColumn['reencrypt'] =>
    (sealed, { tenant_id: tenantId = '', endpoint_id: endpointId = '' }) =>
      reencrypt(box, sealed, contextOf({ tenantId, endpointId }));
  return [
    {
      table: 'endpoint_secrets',
      column: 'sealed',
      key: ['tenant_id', 'endpoint_id', 'id'],
      reencrypt: inContext(signingSecretContext),
    },
    {
      table: 'settings_targets',
      column: 'credentials_sealed',
      key: ['tenant_id', 'scope', 'scope_id', 'version', 'event_name', 'endpoint_id'],
      reencrypt: inContext(credentialsContext),
    },
  ];
};
