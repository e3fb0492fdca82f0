import { notFound, Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { Operation } from '@canvass/service-kit';
import type { LinkMailSettings } from './link-mail-settings';
import { invitationMinutes, makeLink } from './password-links';
import { insertTenant, selectTenants } from './tenants';
import { credentialsByEmail, credentialsById, hashPassword, insertUser, unusablePassword } from './users';

/** The operations of operators on tenants and users. Links are shown, not sent. */
export function accountOperations(db: Database, mail: LinkMailSettings): Operation[] {
  const link = { mailer: null, mail, logger: { warn: () => undefined } };
  return [
    {
      name: 'tenants list',
      about: 'Lists the tenants.',
      run: async () => ({ rows: await selectTenants(db) }),
    },
    {
      name: 'tenants create',
      about: 'Creates a tenant, with a link for its first administrator.',
      options: {
        name: { about: 'Name of the tenant.', kind: 'text', isRequired: true },
        admin: {
          about: 'E-mail address of the first administrator.',
          kind: 'text',
          isRequired: true,
          isPersonal: true,
        },
      },
      changes: true,
      async run({ name, admin }) {
        const email = admin!.trim().toLowerCase();
        if (!/^[^@\s]+@[^@\s]+$/.test(email) || name!.trim() === '')
          throw new Problem('validation_failed', {
            detail: '--name and --admin must be a name and an address.',
          });
        const passwordHash = await hashPassword(unusablePassword());
        const row = await db.transaction(async (tx) => {
          const tenantId = await insertTenant(tx, name!.trim());
          if (tenantId === undefined) throw new Problem('conflict', { detail: 'There is such a tenant.' });
          const roles = ['Admin' as const];
          const values = { email, name: null, roles, isEnabled: true, passwordHash };
          const { id } = await insertUser(tx, tenantId, values, { byOperator: true });
          const user = (await credentialsById(tx, tenantId, id))!;
          const { token, url, expiresAt } = await makeLink(
            { ...link, db: tx },
            user,
            invitationMinutes,
            'operator',
          );
          return { tenantId, email, token, url, expiresAt };
        });
        return { rows: [row], say: 'The tenant is created. Pass the token on to its administrator.' };
      },
    },
    {
      name: 'users reset-password',
      about: 'Shows a link with which a user sets a new password. The password of now stays until then.',
      options: {
        tenant: { about: 'Id or name of the tenant.', kind: 'text', isRequired: true },
        email: { about: 'E-mail address of the user.', kind: 'text', isRequired: true, isPersonal: true },
      },
      changes: true,
      async run({ tenant, email }) {
        const [user] = await credentialsByEmail(db, email!.trim().toLowerCase(), tenant!);
        if (!user) throw notFound('user', email!);
        const { token, url, expiresAt } = await makeLink(
          { ...link, db },
          user,
          invitationMinutes,
          'operator',
        );
        return { rows: [{ userId: user.id, email: user.email, token, url, expiresAt }] };
      },
    },
  ];
}
