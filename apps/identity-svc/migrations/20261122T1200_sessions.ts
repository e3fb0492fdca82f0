import type { Migration } from '@canvass/postgres';

/** What users see of their sessions. A family of refresh tokens is a session. */
export const sessions: Migration = {
  name: '20261122T1200_sessions',
  async up(knex) {
    await knex.raw(`
      alter table refresh_tokens
        add column session_started_at timestamptz not null default now(),
        add column client_network text,
        add column user_agent text;
      comment on column refresh_tokens.session_started_at is 'The sign-in. All tokens of a family have the same';
      comment on column refresh_tokens.client_network is 'Network, not address, of the client that got the token'`);
  },
  async down(knex) {
    await knex.raw(`
      alter table refresh_tokens
        drop column session_started_at, drop column client_network, drop column user_agent`);
  },
};
