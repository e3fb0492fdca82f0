import { statement } from '@canvass/postgres';
import {
  byAppUser,
  byId,
  bySubject,
  currentKey,
  hasLegacyKey,
  isUnlinked,
  unlinkedReason,
} from './legacy-rules.sql';
import { inRange, type RangeParams } from './steps.sql';

/** A row that keeps a verification count above 0. */
export interface Leftover {
  kind: 'unlinked' | 'legacy_key';
  submissionId: string;
  tenantId: string;
  formId: string;
  reason: string;
  /** The submission that has the key this one should have. */
  heldBy: string | null;
}

const names = `t.id as "submissionId", t.tenant_id as "tenantId", t.form_id as "formId"`;

interface Providers {
  providers: readonly string[];
}

const holder = (submitter: string) => `(select h.id from submissions h where h.tenant_id = t.tenant_id
    and h.restriction_key = ${currentKey(submitter)} and h.deleted_at is null)`;

/** The rows that the verification counts. */
export const leftoversOfRange = statement<RangeParams & Providers, Leftover>(
  'backfill_leftovers',
  `select x.kind, x."submissionId", x."tenantId", x."formId", x."heldBy", case when x.kind = 'unlinked' then x.unlinked_reason
      when x."heldBy" is not null then 'restriction_key_taken' else 'not_reached' end as reason
  from (
    select ${names}, case when t.submitter_id is null then 'unlinked' else 'legacy_key' end as kind,
      case when t.submitter_id is null then ${unlinkedReason} end as unlinked_reason,
      case when t.submitter_id is not null and t.deleted_at is null then ${holder('t.submitter_id')} end as "heldBy"
    from submissions t where ${inRange} and ((${isUnlinked}) or (${hasLegacyKey()}))
  ) x order by x."tenantId", x."submissionId"`,
);

export interface Forecast {
  A: number;
  B: number;
  C: number;
  D: number;
}

/** The number of rows each step would change. */
export const forecastOfRange = statement<RangeParams & Providers, Forecast>(
  'backfill_forecast',
  `select count(*) filter (where linked_by = 'A')::int as "A", count(*) filter (where linked_by = 'B')::int as "B",
    count(*) filter (where linked_by = 'C')::int as "C",
    count(*) filter (where submitter is not null and submitted_by is distinct from submitter::text)::int as "D"
  from (
    select t.submitted_by, case when t.submitter_id is not null then null when a is not null then 'A'
        when b is not null then 'B' when c is not null then 'C' end as linked_by,
      coalesce(t.submitter_id, a, b, c) as submitter
    from (select t.*, ${byId} as a, ${byAppUser} as b, ${bySubject} as c from submissions t where ${inRange} offset 0) t
  ) planned`,
);

/** The rows of step E after steps A–C, the row that gets the key first. */
const legacyKeys = `
  with legacy as (
    select t.*, row_number() over (
      partition by t.tenant_id, t.form_id, t.submitter, t.deleted_at is null order by t.id) as turn,
      first_value(t.id) over (
      partition by t.tenant_id, t.form_id, t.submitter, t.deleted_at is null order by t.id) as oldest
    from (
      select t.id, t.tenant_id, t.form_id, t.deleted_at, t.is_test_submission, t.restriction_key,
        coalesce(t.submitter_id, ${byId}, ${byAppUser}, ${bySubject}) as submitter
      from submissions t
      where t.restriction_key is not null and strpos(t.restriction_key, ':Submitter:') = 0
    ) t where ${hasLegacyKey('t.submitter')}
  ),
  judged as (select t.*, case when t.deleted_at is null then ${holder('t.submitter')} end as holder from legacy t)`;

/** The number of keys that step E would rewrite. */
export const forecastOfKeys = statement<Providers, { E: number }>(
  'backfill_forecast_keys',
  `${legacyKeys}
  select count(*) filter (where deleted_at is not null or (turn = 1 and holder is null))::int as "E" from judged`,
);

/** The rows whose keys step E could not rewrite. */
export const takenKeys = statement<Providers, Leftover>(
  'backfill_taken_keys',
  `${legacyKeys}
  select 'legacy_key' as kind, ${names}, 'restriction_key_taken' as reason, coalesce(t.holder, t.oldest) as "heldBy"
  from judged t where t.deleted_at is null and (t.turn > 1 or t.holder is not null) order by t.tenant_id, t.id`,
);
