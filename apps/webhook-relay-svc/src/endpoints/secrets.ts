import { randomBytes } from 'node:crypto';

/** Whose secret it is; part of what it is sealed with, so that a copied row opens nowhere else. */
export interface SecretPlace {
  tenantId: string;
  endpointId: string;
}

export const signingSecretContext = ({ tenantId, endpointId }: SecretPlace) =>
  `webhooks.signing-secret:${tenantId}:${endpointId}`;

export const apiKeyContext = ({ tenantId, endpointId }: SecretPlace) =>
  `webhooks.api-key:${tenantId}:${endpointId}`;

/** A new signing secret, `whsec_<base64 of 32 bytes>` (Standard Webhooks asks for 24 to 64 bytes). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
