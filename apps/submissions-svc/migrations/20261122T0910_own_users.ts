import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/**
 * An app user is unique among the submitters of the own provider, whose subject is the id of the user.
 * Submitters of other providers may have the same user. The few rows of the own provider with another subject
 * get the id of the user. If the user already has a row, they lose the link instead.
 */
export const ownUsers: Migration = {
  name: '20261122T0910_own_users',
  transaction: false,
  async up(knex) {
    await knex.raw(`
      update submitters s set external_subject_id = s.app_user_id::text
      where s.auth_provider = 'Service' and s.external_subject_id <> s.app_user_id::text and not exists (
        select from submitters o where o.tenant_id = s.tenant_id and o.auth_provider = s.auth_provider
          and o.external_subject_id = s.app_user_id::text)`);
    await knex.raw(`
      update submitters set app_user_id = null
      where auth_provider = 'Service' and external_subject_id <> app_user_id::text`);
    await createIndexConcurrently(
      knex,
      'submitters_own_user',
      `on submitters (tenant_id, app_user_id) where auth_provider = 'Service' and app_user_id is not null`,
      { unique: true },
    );
    await dropIndexConcurrently(knex, 'submitters_app_user');
  },
  /**
   * Not unique: other providers may have the same user by now. The previous build does not depend on
   * uniqueness.
   */
  async down(knex) {
    await createIndexConcurrently(
      knex,
      'submitters_app_user',
      'on submitters (tenant_id, app_user_id) where app_user_id is not null',
    );
    await dropIndexConcurrently(knex, 'submitters_own_user');
  },
};
