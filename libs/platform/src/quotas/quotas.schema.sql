-- The limits that operators set for single tenants, of the quotas of one service.
create table quota_limits (
  tenant_id bigint not null,
  quota text not null,
  most bigint not null check (most >= 0),
  set_at timestamptz not null default now(),
  primary key (tenant_id, quota)
);
comment on column quota_limits.most is 'Replaces the configured limit; 0: no limit';
