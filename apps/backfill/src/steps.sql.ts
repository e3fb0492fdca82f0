import { positionalStatement, type PositionalStatement } from '@canvass/postgres';
import { byAppUser, byId, bySubject, currentKey, hasLegacyKey, isUnlinked } from './legacy-rules.sql';

/** The steps of the specification. Their order matters: each must finish before the next starts. */
export const stepNames = ['A', 'B', 'C', 'D', 'E'] as const;
export type StepName = (typeof stepNames)[number];

/** $4 of the statements of step C. */
const providers = '$4';

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

const rules: Record<StepName, Rule> = {
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
};

const rowsOf = {
  range: 't.id > $1::bigint and t.id <= $2::bigint',
  again: 't.id = any($1::bigint[]) and t.id <= $2::bigint',
};

const positionAfter = {
  range: 'after_id = $2::bigint, locked_ids = p.locked_ids || s.ids',
  again: 'locked_ids = array(select unnest(p.locked_ids) except select unnest($1::bigint[])) || s.ids',
};

/**
 * One batch, one statement, one transaction. It finds its rows without locks, locks them in the order of
 * their ids, skips rows locked by other sessions, and writes the progress together with the rows.
 */
const batch = (name: StepName, rows: keyof typeof rowsOf): PositionalStatement => {
  const { looked, usable, still, set } = rules[name];
  return positionalStatement(
    `backfill_${name}_${rows}`,
    `with looked as materialized (${looked} and ${rowsOf[rows]}),
    matching as materialized (select l.* from looked l where ${usable}),
    locked as materialized (
      select t.id, t.tenant_id, m.target
      from matching m join submissions t on t.tenant_id = m.tenant_id and t.id = m.id
      where ${still}
      order by t.id for no key update of t skip locked
    ),
    changed as (
      update submissions t set ${set} from locked l where t.tenant_id = l.tenant_id and t.id = l.id
      returning t.id
    ),
    skipped as (
      select coalesce(array_agg(id), '{}') as ids from matching where id not in (select id from locked)
    ),
    moved as (
      update backfill_progress p set ${positionAfter[rows]}, examined = p.examined + $3::bigint,
        changed = p.changed + (select count(*) from changed)
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
 * $1 after this id, $2 up to this id, $3 number of rows there; step C: $4 external providers. Returns
 * BatchResult.
 */
export const rangeBatch = perStep((name) => batch(name, 'range'));

/** $1 ids, $2 last id of the run, $3 0; step C: $4 external providers. Returns BatchResult. */
export const againBatch = perStep((name) => batch(name, 'again'));

function perStep(make: (name: StepName) => PositionalStatement): Record<StepName, PositionalStatement> {
  return { A: make('A'), B: make('B'), C: make('C'), D: make('D'), E: make('E') };
}

/** $1 after this id, $2 last id, $3 limit. Returns last id and number of the next rows in order of id. */
export const nextRange = positionalStatement(
  'backfill_next_range',
  `select max(id) as upto, count(*)::int as rows from (
    select id from submissions where id > $1::bigint and id <= $2::bigint order by id limit $3) range`,
);
