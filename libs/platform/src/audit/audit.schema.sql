-- The audit trail of a service; needs next_id(). `audit` has a row per action. A job seals committed rows: it gives each its
-- place in the chain of its tenant and day. `audit_days` has the number of sealed rows and the last hash of each day, and
-- stays when the rows of the day are dropped. `json` keeps the bytes of `before` and `after`, which the hash covers.
create table audit (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  occurred_at timestamptz not null default clock_timestamp(),
  action text not null,
  object_type text not null,
  object_id text,
  actor_provider text,
  actor_kind text,
  actor_subject text,
  address text,
  request_id text,
  client_request_id text,
  before json,
  after json,
  day date,
  sequence bigint,
  hash bytea,
  primary key (tenant_id, id)
);
comment on table audit is 'Who did what; written in the transaction of the change. Append-only.';
comment on column audit.tenant_id is '0: no tenant, such as a sign-in with an unknown name';
comment on column audit.day is 'UTC day of the seal; null until the row is sealed';
comment on column audit.hash is 'SHA-256 of the hash before it in the chain and of the row';
create index audit_unsealed on audit (tenant_id, id) where hash is null;
create unique index audit_chain on audit (tenant_id, day, sequence) where hash is not null;
-- The filters of the trail, each in the order of its pages.
create index audit_by_object on audit (tenant_id, object_id, id);
create index audit_by_actor_subject on audit (tenant_id, actor_subject, id);
create index audit_by_action on audit (tenant_id, action, id);
create index audit_by_object_type on audit (tenant_id, object_type, id);

create table audit_days (
  tenant_id bigint not null,
  day date not null,
  sealed_rows bigint not null,
  hash bytea not null,
  previous bytea not null,
  dropped_at timestamptz,
  primary key (tenant_id, day)
);
comment on table audit_days is 'The chain of each day: its length, its last hash, and the last hash of the day before';

-- A row may be sealed once, and deleted after its day was marked as dropped; nothing else. Only the job that seals gives a
-- row its place in the chain: one that is inserted has none. Both functions find audit_days in the schema of the table.
create function audit_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.hash is null and new.hash is not null and
       to_jsonb(new) - '{day,sequence,hash}'::text[] = to_jsonb(old) - '{day,sequence,hash}'::text[] then
      return new;
    end if;
  elsif tg_op = 'DELETE' then
    if exists (select from audit_days d
               where d.tenant_id = old.tenant_id and d.day = old.day and d.dropped_at is not null) then
      return old;
    end if;
  end if;
  raise exception 'The audit trail is append-only.' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_guard before update or delete on audit for each row execute function audit_guard();
create trigger audit_guard_truncate before truncate on audit execute function audit_guard();
create trigger audit_guard_insert before insert on audit for each row
  when (new.day is not null or new.sequence is not null or new.hash is not null) execute function audit_guard();

-- A day may be dropped when it is older than 30 days, the shortest retention (`minRetentionDays`).
create function audit_days_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.tenant_id, new.day, new.previous) = (old.tenant_id, old.day, old.previous) and old.dropped_at is null then
      if new.dropped_at is null and new.sealed_rows > old.sealed_rows then
        return new;
      end if;
      if new.dropped_at is not null and (new.sealed_rows, new.hash) = (old.sealed_rows, old.hash)
         and old.day < (now() at time zone 'UTC')::date - 30 then
        return new;
      end if;
    end if;
  end if;
  raise exception 'The days of the audit trail are append-only.' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_days_guard before update or delete on audit_days for each row execute function audit_days_guard();
create trigger audit_days_guard_truncate before truncate on audit_days execute function audit_days_guard();
