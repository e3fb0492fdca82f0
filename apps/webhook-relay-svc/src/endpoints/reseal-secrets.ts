import type { SecretBox } from '@canvass/auth';
import { sealedAnew, type SealedColumn } from '@canvass/postgres';
import { apiKeyContext, signingSecretContext, type SecretPlace } from './secrets';

/** Where the relay keeps signing secrets and its copies of API keys. */
export const sealedSecretColumns = (box: SecretBox): SealedColumn[] => {
  const inContext =
    (contextOf: (place: SecretPlace) => string): SealedColumn['renew'] =>
    (sealed, { tenant_id: tenantId = '', endpoint_id: endpointId = '' }) =>
      sealedAnew(box, sealed, contextOf({ tenantId, endpointId }));
  return [
    {
      table: 'endpoint_secrets',
      column: 'sealed',
      key: ['tenant_id', 'endpoint_id', 'id'],
      renew: inContext(signingSecretContext),
    },
    {
      table: 'settings_targets',
      column: 'api_key_sealed',
      key: ['tenant_id', 'scope', 'scope_id', 'version', 'event_name', 'endpoint_id'],
      renew: inContext(apiKeyContext),
    },
  ];
};
