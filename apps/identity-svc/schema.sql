-- The schema of identity-svc: tenants, users, service accounts and what they sign in with. It is frozen with release 0.1.0:
-- later changes are files in migrations/, and nothing here changes.

create table tenants (
  id bigint primary key default next_id(),
  name text not null,
  created_at timestamptz not null default now(),
  constraint tenants_name_unique unique (name)
);

create table users (
  tenant_id bigint not null constraint users_tenant_fk references tenants (id),
  id bigint not null default next_id(),
  email text not null,
  name text,
  password_hash text not null,
  roles text[] not null,
  is_enabled boolean not null default true,
  mailbox_proved_at timestamptz,
  may_enrol_until timestamptz,
  last_sign_in_at timestamptz,
  credentials_version integer not null default 1,
  token_version integer not null default 1,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  revision bigint not null default 1,
  primary key (tenant_id, id),
  constraint users_roles_known check (roles <@ array['Admin', 'Editor', 'Reviewer', 'Viewer', 'Exporter', 'Respondent', 'Integration'])
);
comment on column users.email is 'lower case; unique within the tenant';
comment on column users.mailbox_proved_at is 'When the person showed to read the mailbox, or the operator vouched for it. Null: not since the last change of address or password by an administrator';
comment on column users.may_enrol_until is 'Until then a second factor that a role requires may be set up';
comment on column users.last_sign_in_at is 'To the minute; null if never';
comment on column users.credentials_version is 'grows with the password and with disabling; ends refresh tokens of before';
comment on column users.token_version is 'Access tokens of an older version are revoked; grows with roles, password and disabling';
-- An address may be in several tenants, of which administrators of one must not learn. A sign-in searches by the address, so
-- it leads.
create unique index users_email_per_tenant on users (email, tenant_id);

create table service_accounts (
  tenant_id bigint not null constraint service_accounts_tenant_fk references tenants (id),
  id bigint not null default next_id(),
  client_id text not null,
  name text not null,
  secret_hash bytea not null,
  previous_secret_hash bytea,
  previous_secret_expires_at timestamptz,
  roles text[] not null,
  form_ids bigint[],
  is_enabled boolean not null default true,
  expires_at timestamptz,
  last_used_at timestamptz,
  token_version integer not null default 1,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  revision bigint not null default 1,
  primary key (tenant_id, id),
  constraint service_accounts_client_id_unique unique (client_id),
  constraint service_accounts_roles_known check (roles <@ array['Admin', 'Editor', 'Reviewer', 'Viewer', 'Exporter', 'Respondent', 'Integration'])
);
comment on column service_accounts.secret_hash is 'SHA-256; enough because secrets are random or at least 32 characters';
comment on column service_accounts.previous_secret_hash is 'Accepted until previous_secret_expires_at';
comment on column service_accounts.form_ids is 'Null: all forms of the tenant';
comment on column service_accounts.last_used_at is 'Of the last token, to the minute';
comment on column service_accounts.token_version is 'Access tokens of an older version are revoked; grows with roles and disabling';

-- A family of refresh tokens is a session.
create table refresh_tokens (
  token_hash bytea primary key,
  tenant_id bigint not null,
  user_id bigint not null,
  family_id bigint not null,
  credentials_version integer not null,
  session_started_at timestamptz not null,
  client_network text,
  user_agent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  constraint refresh_tokens_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
comment on table refresh_tokens is 'SHA-256 of tokens of 256 random bits; a family is one login';
comment on column refresh_tokens.session_started_at is 'The sign-in. All tokens of a family have the same';
comment on column refresh_tokens.client_network is 'Network, not address, of the client that got the token';
create index refresh_tokens_family on refresh_tokens (family_id);
create index refresh_tokens_user on refresh_tokens (tenant_id, user_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

create table second_factors (
  tenant_id bigint not null,
  user_id bigint not null,
  secret text not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  constraint second_factors_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
comment on column second_factors.secret is 'Base32, sealed with Service:Encryption:Keys';
comment on column second_factors.confirmed_at is 'Null until the user has shown a code. Until then sign-ins need none';
comment on column second_factors.last_step is 'Time step of the last accepted code. A code of it or before is refused';
comment on column second_factors.recovery_hashes is 'SHA-256 of codes of 80 random bits that were not used yet';

-- A link belongs to the state of its user and of its maker.
create table password_links (
  tenant_id bigint not null,
  user_id bigint not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  email text not null,
  user_version integer not null,
  delivery text not null check (delivery in ('mail', 'shown', 'operator')),
  maker_provider text,
  maker_kind text,
  maker_subject text,
  maker_version integer,
  made_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  constraint password_links_token_unique unique (token_hash),
  constraint password_links_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
comment on table password_links is 'One per user, to set a password once: invitations and forgotten passwords';
comment on column password_links.token_hash is 'SHA-256 of 256 random bits';
comment on column password_links.email is 'Of the user when the link was made. Another one ends the link';
comment on column password_links.user_version is 'token_version of the user when the link was made. A later one ends the link';
comment on column password_links.delivery is 'Who read it: only the mailbox, the administrator who made it, or the operator';
comment on column password_links.maker_provider is 'Null: no account, such as a person who forgot the password';

create table sign_in_attempts (
  subject bytea primary key,
  attempts integer not null,
  window_ends_at timestamptz not null
);
comment on column sign_in_attempts.subject is 'SHA-256 of what is counted: an account, an address or both';
create index sign_in_attempts_end on sign_in_attempts (window_ends_at);

-- The keys that sign access tokens, shared by all replicas.
create table signing_keys (
  kid text primary key,
  private_key text not null,
  public_jwk json not null,
  not_before timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on column signing_keys.private_key is 'PKCS 8, sealed with Service:Encryption:Keys';

-- Access tokens name the version of their subject. A change that ends them raises the version and adds a revocation, which the
-- other services read from the feed.
create table revocations (
  kind text not null check (kind in ('user', 'service', 'session', 'key')),
  subject text not null,
  min_version integer,
  xid xid8 not null default pg_current_xact_id(),
  expires_at timestamptz not null,
  primary key (kind, subject)
);
comment on table revocations is 'Until no token of before can be valid any more; without a tenant, because ids are unique across tenants';
comment on column revocations.min_version is 'Null: no token of the subject is valid';
comment on column revocations.xid is 'A reader that has seen all transactions before x continues with xid >= x';
create index revocations_xid on revocations (xid);
create index revocations_expiry on revocations (expires_at);

-- The owner of views and preferences can be a user of an external provider, so there is no foreign key.
create table views (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  owner_provider text not null,
  owner_subject text not null,
  screen text not null,
  scope_id bigint,
  name text not null,
  visibility text not null check (visibility in ('me', 'tenant')),
  is_default boolean not null,
  settings json not null,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  revision bigint not null default 1,
  primary key (tenant_id, id)
);
comment on table views is 'Saved views of lists in a console, of one person or of the tenant';
comment on column views.scope_id is 'The form or list whose rows are shown; null for a list of the tenant';
comment on column views.settings is 'Made and read by clients: columns, filters, order';
create unique index views_default_of_owner on views (tenant_id, owner_provider, owner_subject, screen, coalesce(scope_id, 0))
  where is_default and visibility = 'me';
create unique index views_default_of_tenant on views (tenant_id, screen, coalesce(scope_id, 0))
  where is_default and visibility = 'tenant';
create index views_by_owner on views (tenant_id, owner_provider, owner_subject);

create table preferences (
  tenant_id bigint not null,
  owner_provider text not null,
  owner_subject text not null,
  settings json not null,
  revision bigint not null default 1,
  primary key (tenant_id, owner_provider, owner_subject)
);
comment on table preferences is 'Of one person in a console, such as language and density';
