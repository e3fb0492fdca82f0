import { statement, type Statement } from '@canvass/postgres';
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

/** Parameters of `inRange`. */
export interface RangeParams {
  afterTenantId: string;
  afterId: string;
  uptoTenantId: string;
  uptoId: string;
}

export const between = (after: Position, upto: Position): RangeParams => ({
  afterTenantId: after.tenantId,
  afterId: after.id,
  uptoTenantId: upto.tenantId,
  uptoId: upto.id,
});

/** SQL condition on `t`: after one position and up to another. */
export const inRange = `(t.tenant_id, t.id) > ($afterTenantId::bigint, $afterId::bigint)
    and (t.tenant_id, t.id) <= ($uptoTenantId::bigint, $uptoId::bigint)`;

interface Rule {
  /** Candidate rows and, in `target`, their new value; null if there is nothing to do. */
  looked: string;
  /** The condition that says which rows of `looked l` are changed. */
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
  C: link(bySubject),
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

/** The rows of a batch, and the position that it stores. */
interface Batch {
  rows: string;
  position: string;
  /** Locked rows of earlier batches, without those that this one processes. */
  stillLocked: string;
  rowCount: string;
}

const storedLocks = 'unnest(p.locked_tenant_ids, p.locked_ids)';

const batches: Record<'range' | 'again', Batch> = {
  range: {
    rows: `${inRange} and t.id <= $lastId::bigint`,
    position: 'after_tenant_id = $uptoTenantId::bigint, after_id = $uptoId::bigint,',
    stillLocked: `select * from ${storedLocks}`,
    rowCount: '$rows::bigint',
  },
  again: {
    rows: '(t.tenant_id, t.id) in (select * from unnest($tenantIds::bigint[], $ids::bigint[]))',
    position: '',
    stillLocked: `select * from ${storedLocks} except select * from unnest($tenantIds::bigint[], $ids::bigint[])`,
    rowCount: '0',
  },
};

/**
 * One batch, one statement, one transaction. It finds its rows without locks, locks them in the order of
 * their keys, skips rows locked by other sessions, and writes the progress together with the rows.
 */
const batch = <Params>(name: StepName, kind: keyof typeof batches): Statement<Params, BatchResult> => {
  const { rows, position, stillLocked, rowCount } = batches[kind];
  const { looked, usable, still, set } = rules[name];
  return statement<Params, BatchResult>(
    `backfill_${name}_${kind}`,
    `with looked as materialized (${looked} and ${rows}),
    matching as (select l.* from looked l where ${usable}),
    locked as (
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

/** The parameters of step C, which alone uses the external providers. */
interface WithProviders {
  providers: readonly string[];
}

/** The rows of a range. */
export const rangeBatch = perStep((name) =>
  batch<RangeParams & WithProviders & { lastId: string; rows: number }>(name, 'range'),
);

/** Rows that other sessions had locked. */
export const againBatch = perStep((name) =>
  batch<WithProviders & { tenantIds: string[]; ids: string[] }>(name, 'again'),
);

function perStep<S>(make: (name: StepName) => S): Record<StepName, S> {
  return { A: make('A'), B: make('B'), C: make('C'), D: make('D'), E: make('E') };
}

export interface Range extends Position {
  rows: number;
}

/** The last position and the number of the next rows; no row if there are none. */
export const nextRange = statement<
  { afterTenantId: string; afterId: string; lastId: string; limit: number },
  Range
>(
  'backfill_next_range',
  `with range as (
    select tenant_id, id from submissions
    where (tenant_id, id) > ($afterTenantId::bigint, $afterId::bigint) and id <= $lastId::bigint
    order by tenant_id, id limit $limit)
  select tenant_id as "tenantId", id, (select count(*)::int from range) as rows
  from range order by tenant_id desc, id desc limit 1`,
);
