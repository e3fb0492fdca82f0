import type { ArchivedTable } from '@canvass/tenant-archive';
import { randomBytes } from 'node:crypto';
import { hashPassword, unusablePassword } from './users';

/**
 * What a tenant takes along to another installation: no passwords, secrets, second factors and sessions.
 * Users set a password with a link, and service accounts get a new secret.
 */
export const archivedTables: readonly ArchivedTable[] = [
  { name: 'tenants', key: [], tenantColumn: 'id' },
  {
    name: 'users',
    key: ['id'],
    without: ['password_hash', 'credentials_version', 'mailbox_proved_at', 'may_enrol_until'],
    fill: async () => ({ password_hash: await hashPassword(unusablePassword()) }),
  },
  {
    name: 'service_accounts',
    key: ['id'],
    without: ['secret_hash', 'previous_secret_hash', 'previous_secret_expires_at', 'last_used_at'],
    fill: () => Promise.resolve({ secret_hash: `\\x${randomBytes(32).toString('hex')}` }),
  },
  { name: 'views', key: ['id'] },
  { name: 'preferences', key: ['owner_provider', 'owner_subject'] },
];
