import type { SecretBox } from '@canvass/auth';
import { reencrypt, type SealedColumn } from '@canvass/postgres';
import { apiKeyContext, signingSecretContext, type SecretPlace } from './secrets';

/** Where the relay keeps signing secrets and its copies of API keys. */
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
      column: 'api_key_sealed',
      key: ['tenant_id', 'scope', 'scope_id', 'version', 'event_name', 'endpoint_id'],
      reencrypt: inContext(apiKeyContext),
    },
  ];
};
