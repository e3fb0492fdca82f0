import { positionalStatement, type PositionalStatement } from '@canvass/postgres';
import { byAppUser, byId, bySubject, currentKey, hasLegacyKey, isUnlinked } from './legacy-rules.sql';

/** The steps of the specification. Their order matters: each must finish before the next starts. */
export const stepNames = ['A', 'B', 'C', 'D', 'E'] as const;
export type StepName = (typeof stepNames)[number];

/** Place of a submission in the order of the backfill, which is the one of the primary key. */
export interface Position {
  tenantId: string;
  id: string;
}

export const firstPosition: Position = { tenantId: '-9223372036854775808', id: '-9223372036854775808' };

/** SQL condition on `t`: after the position in the first pair of parameters, up to that in the second. */
export const inRange = (after: [string, string], upto: [string, string]): string =>
  `(t.tenant_id, t.id) > (${after[0]}::bigint, ${after[1]}::bigint)
    and (t.tenant_id, t.id) <= (${upto[0]}::bigint, ${upto[1]}::bigint)`;

interface Rule {
  /** Candidate rows and, in `target`, their new value; null if there is nothing to do. */
  looked: string;
  /** Which rows of `looked l` are changed. */
  usable: string;
  /** The condition on the locked row `t`, compared with `m`. */
  still: string;
  set: string;
}

const link = (target: string): Rule => ({
  looked: `select t.id, t.tenant_id, t.submitted_by, ${target} as target from submissions t where ${isUnlinked}`,
  usable: 'l.target is not null',
  still: 't.submitter_id is null and t.submitted_by = m.submitted_by',
  // The API representation changes, and so does the ETag.
  set: 'submitter_id = l.target, revision = t.revision + 1',
});

/** `providers` is the parameter with the external providers. */
const rulesOf = (providers: string): Record<StepName, Rule> => ({
  A: link(byId),
  B: link(byAppUser),
  C: link(bySubject(providers)),
  D: {
    looked: `select t.id, t.tenant_id, t.submitter_id::text as target from submissions t
      where t.submitter_id is not null and t.submitted_by is distinct from t.submitter_id::text`,
    usable: 'true',
    still: 't.submitter_id::text = m.target and t.submitted_by is distinct from m.target',
    set: 'submitted_by = l.target, revision = t.revision + 1',
  },
  E: {
    // The unique index permits one live row per key: the oldest gets it, unless another row has it already.
    looked: `select t.id, t.tenant_id, t.submitter_id, ${currentKey()} as target, t.deleted_at is null as live,
        row_number() over (partition by t.tenant_id, t.form_id, t.submitter_id, t.deleted_at is null order by t.id) as turn
      from submissions t where ${hasLegacyKey()}`,
    usable: `not l.live or l.turn = 1 and not exists (
        select from submissions h
        where h.tenant_id = l.tenant_id and h.restriction_key = l.target and h.deleted_at is null)`,
    still: `t.submitter_id = m.submitter_id and (t.deleted_at is null) = m.live and ${hasLegacyKey()}`,
    // The key is not part of the API representation.
    set: 'restriction_key = l.target',
  },
});

/** The rows of a batch, and the position that it stores. */
interface Batch {
  rows: string;
  position: string;
  /** Locked rows of earlier batches, without those that this one processes. */
  stillLocked: string;
  rowCount: string;
  providers: string;
}

const storedLocks = 'unnest(p.locked_tenant_ids, p.locked_ids)';

const batches: Record<'range' | 'again', Batch> = {
  range: {
    rows: `${inRange(['$1', '$2'], ['$3', '$4'])} and t.id <= $5::bigint`,
    position: 'after_tenant_id = $3::bigint, after_id = $4::bigint,',
    stillLocked: `select * from ${storedLocks}`,
    rowCount: '$6::bigint',
    providers: '$7',
  },
  again: {
    rows: '(t.tenant_id, t.id) in (select * from unnest($1::bigint[], $2::bigint[]))',
    position: '',
    stillLocked: `select * from ${storedLocks} except select * from unnest($1::bigint[], $2::bigint[])`,
    rowCount: '0',
    providers: '$3',
  },
};

/**
 * One batch, one statement, one transaction. It finds its rows without locks, locks them in the order of
 * their keys, skips rows locked by other sessions, and writes the progress together with the rows.
 */
const batch = (name: StepName, kind: keyof typeof batches): PositionalStatement => {
  const { rows, position, stillLocked, rowCount, providers } = batches[kind];
  const { looked, usable, still, set } = rulesOf(providers)[name];
  return positionalStatement(
    `backfill_${name}_${kind}`,
    `with looked as materialized (${looked} and ${rows}),
    matching as materialized (select l.* from looked l where ${usable}),
    locked as materialized (
      select t.id, t.tenant_id, m.target
      from matching m join submissions t on t.tenant_id = m.tenant_id and t.id = m.id
      where ${still}
      order by t.tenant_id, t.id for no key update of t skip locked
    ),
    changed as (
      update submissions t set ${set} from locked l where t.tenant_id = l.tenant_id and t.id = l.id
      returning t.id
    ),
    skipped as (
      select coalesce(array_agg(tenant_id), '{}') as tenant_ids, coalesce(array_agg(id), '{}') as ids
      from (
        select l.* from backfill_progress p, lateral (${stillLocked}) l where p.step = '${name}'
        union all
        select tenant_id, id from matching where (tenant_id, id) not in (select tenant_id, id from locked)
      ) l (tenant_id, id)
    ),
    moved as (
      update backfill_progress p set ${position} locked_tenant_ids = s.tenant_ids, locked_ids = s.ids,
        examined = p.examined + ${rowCount}, changed = p.changed + (select count(*) from changed)
      from skipped s where p.step = '${name}'
      returning p.changed, cardinality(p.locked_ids) as locked
    )
    select changed::float8, locked from moved`,
  );
};

export interface BatchResult {
  /** Rows that the step has changed in this run. */
  changed: number;
  /** Rows that other sessions had locked and that are still to be done. */
  locked: number;
}

/**
 * $1, $2 after this tenant and id, $3, $4 up to this one, $5 last id of the run, $6 number of rows there;
 * step C: $7 external providers. Returns BatchResult.
 */
export const rangeBatch = perStep((name) => batch(name, 'range'));

/** $1 tenants, $2 ids; step C: $3 external providers. Returns BatchResult. */
export const againBatch = perStep((name) => batch(name, 'again'));

function perStep(make: (name: StepName) => PositionalStatement): Record<StepName, PositionalStatement> {
  return { A: make('A'), B: make('B'), C: make('C'), D: make('D'), E: make('E') };
}

export interface Range extends Position {
  rows: number;
}

/**
 * $1, $2 after this tenant and id, $3 last id, $4 limit. Returns the last position and the number of the next
 * rows, as `Range`; no row if there are none.
 */
export const nextRange = positionalStatement(
  'backfill_next_range',
  `with range as materialized (
    select tenant_id, id from submissions where (tenant_id, id) > ($1::bigint, $2::bigint) and id <= $3::bigint
    order by tenant_id, id limit $4)
  select tenant_id as "tenantId", id, (select count(*)::int from range) as rows
  from range order by tenant_id desc, id desc limit 1`,
);
