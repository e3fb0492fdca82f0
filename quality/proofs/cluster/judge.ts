import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@canvass/testing';
import { missingOf, type Load } from './load';

/** Load before a fault, and after it. */
const [beforeMs, afterMs] = [3_000, 5_000];
/** After a fault, this many acknowledged writes show that writing continues. */
const resumedWrites = 50;

/** The head of the rows of `judge`. */
export const columns = ['fault', 'acknowledged', 'errors', 'longest gap', 'lost', 'undelivered', 'twice'];

/** A fault, what is allowed of it, and what knows what became of the writes. */
export interface Judged {
  name: string;
  /** Longest time without an acknowledged write that is allowed, in milliseconds. */
  mostGapMs: number;
  /** Whether no request may fail. */
  withoutErrors?: boolean;
  /** Breaks something and resolves when the fault is over, which is not when its effects are. */
  happen(): Promise<void>;
  /** How many of the submissions exist. */
  count(ids: readonly string[]): Promise<number>;
  /** Deliveries by submission. */
  delivered: Map<string, number>;
}

/**
 * Lets a fault happen under load and ends the load. It passes if nothing acknowledged is lost, every webhook
 * is delivered, and writes go on within the bound.
 */
export async function judge(fault: Judged, load: Load): Promise<{ row: string[]; isFine: boolean }> {
  const { name, mostGapMs, withoutErrors = false, delivered } = fault;
  await sleep(beforeMs);
  await fault.happen();
  const before = load.acknowledged.length;
  const isWriting = () => load.acknowledged.length > before + resumedWrites;
  await eventually(isWriting, { timeoutMs: mostGapMs }).catch(() => undefined); // the gap shows it
  await sleep(afterMs);
  await load.stop();
  const { acknowledged: ids, errors, longestGapMs } = load;
  const undelivered = await missingOf(ids, delivered);
  const lost = ids.length - (await fault.count(ids));
  const twice = ids.filter((id) => (delivered.get(id) ?? 0) > 1).length;
  const failed = [...errors].map(([kind, count]) => `${count} × ${kind}`).join(', ') || '0';
  const gap = `${(longestGapMs / 1_000).toFixed(1)} s`;
  const isComplete = lost === 0 && undelivered === 0 && ids.length > 0;
  return {
    row: [name, `${ids.length}`, failed, gap, `${lost}`, `${undelivered}`, `${twice}`],
    isFine: isComplete && longestGapMs <= mostGapMs && (!withoutErrors || errors.size === 0),
  };
}
