import type { Migration } from '@canvass/postgres';

/**
 * Only users who proved their mailbox sign in without a tenant if there are several. Of the users of before
 * this is known of the first administrators only: they were created together with the tenant.
 */
export const provedMailboxes: Migration = {
  name: '20261128T0100_proved_mailboxes',
  async up(knex) {
    await knex.raw(`
      alter table users
        add column mailbox_proved_at timestamptz,
        add column may_enrol_until timestamptz;
      comment on column users.mailbox_proved_at is 'When the person showed to read the mailbox, or the operator vouched for it. Null: not since the last change of address or password by an administrator';
      comment on column users.may_enrol_until is 'Until then a second factor that a role requires may be set up';
      update users u set mailbox_proved_at = u.created_at
      from tenants t where t.id = u.tenant_id and t.created_at = u.created_at and u.revision = 1`);
  },
  async down(knex) {
    await knex.raw('alter table users drop column mailbox_proved_at, drop column may_enrol_until');
  },
};
