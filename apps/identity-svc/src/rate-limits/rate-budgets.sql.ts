import { statement, type Queryable } from '@canvass/postgres';

/** A gateway's wish for a part of somebody's budget. */
export interface Wish {
  /** SHA-256 of whom the budget is for, base64url without padding. */
  subject: string;
  /** The whole budget of one window. */
  limit: number;
  /** Most that the gateway has a use for now. */
  want: number;
}

export interface Lease {
  subject: string;
  /** May be spent until the window ends; 0 when nothing is left. */
  granted: number;
  /** Not lent to anybody yet. */
  remaining: number;
  /** Milliseconds to the end of the window, by the database's clock. */
  msLeft: number;
}

// A lease is a quarter of what is left at most, so that the last requests of a budget can come through any gateway.
// Rows are taken in the order of their keys, so that two statements cannot wait for each other.
const lend = statement(
  'rate_budgets.lend',
  `insert into rate_budgets as b (subject, budget, asked, spent, window_ends_at)
   select subject, budget, asked, least(asked, greatest(budget / 4, 1)), now() + make_interval(secs => $4)
   from unnest($1::bytea[], $2::integer[], $3::integer[]) as wish (subject, budget, asked)
   order by subject
   on conflict (subject) do update set
     budget = excluded.budget,
     asked = excluded.asked,
     spent = case
       when b.window_ends_at <= now() then excluded.spent
       else b.spent + least(
         excluded.asked,
         greatest((excluded.budget - b.spent) / 4, least(excluded.budget - b.spent, 1), 0)
       )
     end,
     window_ends_at = case when b.window_ends_at <= now() then excluded.window_ends_at else b.window_ends_at end
   returning
     new.subject,
     new.spent - case when old.window_ends_at = new.window_ends_at then old.spent else 0 end as granted,
     greatest(new.budget - new.spent, 0) as remaining,
     floor(extract(epoch from new.window_ends_at - now()) * 1000)::integer as "msLeft"`,
);

// Skips what a lease has locked instead of waiting for it: that row is in use again.
const clear = statement(
  'rate_budgets.clear',
  `delete from rate_budgets where subject in (
     select subject from rate_budgets where window_ends_at < now() limit $1 for update skip locked
   ) returning 1`,
);

/**
 * Lends parts of budgets, each subject once at most. Of one subject never more than its limit is lent in a window,
 * whoever asks: the row is the count. A window begins with the first wish after the one before has ended.
 */
export async function lendBudgets(
  db: Queryable,
  wishes: readonly Wish[],
  windowSeconds: number,
): Promise<Lease[]> {
  const rows = await db.query<Omit<Lease, 'subject'> & { subject: Buffer }>(lend, [
    wishes.map(({ subject }) => Buffer.from(subject, 'base64url')),
    wishes.map(({ limit }) => limit),
    wishes.map(({ want }) => want),
    windowSeconds,
  ]);
  return rows.map((row) => ({ ...row, subject: row.subject.toString('base64url') }));
}

/** Removes budgets of past windows, `most` at a time. */
export async function clearBudgets(db: Queryable, most = 10_000): Promise<void> {
  for (let removed = most; removed === most;) removed = (await db.query(clear, [most])).length;
}
