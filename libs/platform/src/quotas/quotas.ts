import type { BoundStatement, Queryable, Tx } from '@canvass/postgres';
import type { Metrics } from '@canvass/service-kit';
import { findLimits, lockQuota } from './limits.sql';
import { dailyQuotaExceeded, quotaExceeded, type Excess } from './problems';
import { defaultsOf, type QuotaName, type QuotaNumbers, type QuotaRules, type QuotaSettings } from './rules';

/** The state of one quota of a tenant. */
export interface QuotaView {
  name: string;
  /** Null: no limit. */
  limit: number | null;
  used: number;
  /** The use starts at 0 at midnight (UTC). */
  isPerDay: boolean;
  /** An operator set the limit for this tenant. */
  isOwnLimit: boolean;
}

/** The current use of each quota of a tenant. */
export type CountUses<R extends QuotaRules> = (db: Queryable, tenantId: string) => Promise<QuotaNumbers<R>>;

/** The quotas of one service: limits, checks and views. */
export interface Quotas<R extends QuotaRules> {
  readonly rules: R;
  /** Limits of tenants without limits of their own; 0: no limit. */
  readonly defaults: Readonly<QuotaNumbers<R>>;
  /**
   * Refuses a change that leaves the tenant with more than its quota. Call it in the transaction of the
   * change, after the change; changes of one tenant and quota then follow each other until they commit.
   *
   * @param count the use of the tenant, as the transaction sees it
   * @param added how much of it the change has added; a change that adds nothing is not refused
   * @throws {Problem} `quota_exceeded`
   */
  assertRoom(
    tx: Tx,
    tenantId: string,
    quota: QuotaName<R>,
    count: BoundStatement<{ used: string }>,
    added: number,
  ): Promise<void>;
  /** Counts a refusal and returns its problem: 429 for a quota per day, else 403. */
  refusal(excess: Excess & { quota: QuotaName<R> }): Error;
  /** All quotas of a tenant with their use. */
  read(db: Queryable, tenantId: string): Promise<QuotaView[]>;
}

export function createQuotas<R extends QuotaRules>(
  rules: R,
  settings: QuotaSettings<R>,
  countUses: CountUses<R>,
  metrics: Metrics,
): Quotas<R> {
  const defaults = defaultsOf(rules, settings);
  const refusals = metrics.counter<'quota'>({
    name: 'quota_refusals_total',
    help: 'Requests that a quota of their tenant refused, by quota.',
    labels: ['quota'],
  });
  const refusal: Quotas<R>['refusal'] = (excess) => {
    refusals.inc({ quota: excess.quota });
    return rules[excess.quota]!.perDay ? dailyQuotaExceeded(excess) : quotaExceeded(excess);
  };
  return {
    rules,
    defaults,
    refusal,
    async assertRoom(tx, tenantId, quota, count, added) {
      if (added <= 0) return;
      const [locked] = await tx.query(lockQuota({ tenantId, quota }));
      const limit = Number(locked!.most ?? defaults[quota]);
      if (limit === 0) return;
      const [counted] = await tx.query(count);
      const used = Number(counted!.used);
      if (used > limit) throw refusal({ quota, limit, used: used - added });
    },
    read: (db, tenantId) => readQuotas(db, { rules, defaults, countUses }, tenantId),
  };
}

export interface QuotaSources<R extends QuotaRules> {
  rules: R;
  defaults: Readonly<QuotaNumbers<R>>;
  countUses: CountUses<R>;
}

export async function readQuotas<R extends QuotaRules>(
  db: Queryable,
  { rules, defaults, countUses }: QuotaSources<R>,
  tenantId: string,
): Promise<QuotaView[]> {
  const own = new Map((await db.query(findLimits({ tenantId }))).map(({ quota, most }) => [quota, most]));
  const uses = await countUses(db, tenantId);
  return (Object.keys(rules) as QuotaName<R>[]).map((name) => {
    const limit = Number(own.get(name) ?? defaults[name]);
    return {
      name,
      limit: limit === 0 ? null : limit,
      used: uses[name],
      isPerDay: rules[name]!.perDay ?? false,
      isOwnLimit: own.has(name),
    };
  });
}
