import { permissionsOf, type Role } from '@canvass/auth';
import { visibleText } from '@canvass/service-kit';
import { rulesOf, type ArchivedTable } from '@canvass/tenant-archive';
import Joi from 'joi';
import { randomBytes } from 'node:crypto';
import { newServiceAccountSchema } from './service-accounts';
import { hashPassword, newUserSchema, unusablePassword } from './users';
import { newViewSchema } from './views';

/** Returns whether roles may manage users: only these can give rights to others. */
const isAdministrator = (roles: unknown): boolean => permissionsOf(roles as Role[]).has('Users.Manage');

const owner = {
  owner_provider: Joi.string().max(64).required(),
  owner_subject: Joi.string().max(255).required(),
};

/**
 * The tables that a tenant takes along to another installation: no passwords, secrets, second factors and
 * sessions. Users set a password with a link, and service accounts get a new secret.
 */
export const archivedTables: readonly ArchivedTable[] = [
  { name: 'tenants', key: [], tenantColumn: 'id', rules: rulesOf({ name: visibleText(200).required() }) },
  {
    name: 'users',
    key: ['id'],
    without: ['password_hash', 'credentials_version', 'mailbox_proved_at', 'may_enrol_until'],
    fill: async () => ({ password_hash: await hashPassword(unusablePassword()) }),
    rules: rulesOf({
      email: newUserSchema.extract('email'),
      name: newUserSchema.extract('name'),
      roles: newUserSchema.extract('roles').required(),
      is_enabled: newUserSchema.extract('isEnabled').required(),
    }),
    administratorOf: ({ roles, email }) => (isAdministrator(roles) ? String(email) : null),
  },
  {
    name: 'service_accounts',
    key: ['id'],
    without: ['secret_hash', 'previous_secret_hash', 'previous_secret_expires_at', 'last_used_at'],
    fill: () => Promise.resolve({ secret_hash: `\\x${randomBytes(32).toString('hex')}` }),
    rules: rulesOf({
      client_id: visibleText(200).required(),
      name: newServiceAccountSchema.extract('name'),
      roles: newServiceAccountSchema.extract('roles').required(),
      is_enabled: newServiceAccountSchema.extract('isEnabled').required(),
      form_ids: newServiceAccountSchema.extract('formIds'),
    }),
    administratorOf: ({ roles, client_id: id }) => (isAdministrator(roles) ? String(id) : null),
  },
  {
    name: 'views',
    key: ['id'],
    rules: rulesOf({
      ...owner,
      screen: newViewSchema.extract('screen'),
      name: newViewSchema.extract('name'),
      visibility: newViewSchema.extract('visibility').required(),
      settings: newViewSchema.extract('settings'),
    }),
  },
  {
    name: 'preferences',
    key: ['owner_provider', 'owner_subject'],
    rules: rulesOf({ ...owner, settings: newViewSchema.extract('settings') }),
  },
];
