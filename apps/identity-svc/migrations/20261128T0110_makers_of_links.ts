import type { Migration } from '@canvass/postgres';

/** Links belong to the state of their user and of their maker. Those of before have no state, and end. */
export const makersOfLinks: Migration = {
  name: '20261128T0110_makers_of_links',
  async up(knex) {
    await knex.raw(`
      alter table password_links
        add column email text,
        add column user_version integer,
        add column delivery text check (delivery in ('mail', 'shown', 'operator')),
        add column maker_provider text,
        add column maker_kind text,
        add column maker_subject text,
        add column maker_version integer,
        add column made_at timestamptz not null default now();
      comment on column password_links.email is 'Of the user when the link was made. Another one ends the link';
      comment on column password_links.user_version is 'token_version of the user when the link was made. A later one ends the link';
      comment on column password_links.delivery is 'Who read it: only the mailbox, the administrator who made it, or the operator';
      comment on column password_links.maker_provider is 'Null: no account, such as a person who forgot the password'`);
  },
  async down(knex) {
    await knex.raw(`
      alter table password_links
        drop column email, drop column user_version, drop column delivery, drop column maker_provider,
        drop column maker_kind, drop column maker_subject, drop column maker_version, drop column made_at`);
  },
};
