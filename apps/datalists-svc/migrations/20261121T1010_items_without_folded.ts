import type { Migration } from '@canvass/postgres';

/** Search folds items when it reads them; the folded copies doubled what an import writes. */
export const itemsWithoutFolded: Migration = {
  name: '20261121T1010_items_without_folded',
  async up(knex) {
    await knex.raw('alter table items drop column folded_value, drop column folded_labels');
  },
  async down(knex) {
    await knex.raw(`alter table items add column folded_value text collate "C" not null default '',
                                      add column folded_labels jsonb not null default '{}'`);
  },
};
