-- Answers to requests with an Idempotency-Key.
create table idempotency_keys (
  tenant_id bigint not null,
  route text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  answer text,
  expires_at timestamptz not null default now() + interval '24 hours',
  entity_id bigint,
  primary key (tenant_id, key_hash, route)
);
comment on table idempotency_keys is 'Answers to replay; written in the transaction of their change';
comment on column idempotency_keys.key_hash is 'SHA-256 of caller and key; the key may open what a token opens';
comment on column idempotency_keys.fingerprint is 'HMAC of the request under the key';
comment on column idempotency_keys.answer is 'JSON, sealed where answers hold secrets or personal data; null only inside the transaction';
-- It has no index: an erasure is rare, and reads the keys of one tenant of one day.
comment on column idempotency_keys.entity_id is 'The entity whose data the answer contains; an erasure finds the answers by it';
create index idempotency_keys_expiry on idempotency_keys (expires_at);
