import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@canvass/infra';
import { eventually, markdownTable } from '@canvass/testing';
import { missingOf, type Load } from '../load';

/** Load before a fault, and after it. */
const [beforeMs, afterMs] = [3_000, 5_000];
/** After a fault, this many acknowledged writes show that writing continues. */
const resumedWrites = 50;

/** A fault of a setting, and what is allowed of it. */
export interface Fault<S> {
  name: string;
  /** Longest time without an acknowledged write that is allowed, in milliseconds. */
  maxGapMs: number;
  /** No request may fail. */
  withoutErrors?: true;
  /** Breaks something and resolves when the fault is over, which is not when its effects are. */
  happen(setting: S): Promise<unknown>;
  /** Makes the setting complete again, after the judgement. */
  repair?(setting: S): Promise<unknown>;
}

interface Judged<S> {
  setting: S;
  /** Called before each load. */
  prepare?(): Promise<void>;
  start(): Load;
  /** How many of the submissions exist. */
  count(ids: readonly string[]): Promise<number>;
  /** Deliveries by submission. */
  delivered: Map<string, number>;
}

/**
 * Lets each fault happen under load, and prints a table. Returns true if nothing acknowledged is lost, every webhook
 * is delivered, and writes go on within the bound.
 */
export async function judge<S>(
  faults: readonly (readonly [string, Fault<S>])[],
  on: Judged<S>,
): Promise<boolean> {
  const rows: string[][] = [];
  let holds = true;
  for (const [key, { name, withoutErrors = false, maxGapMs: bound, ...fault }] of faults) {
    await on.prepare?.();
    const load = on.start();
    await sleep(beforeMs);
    let failure = '';
    await fault.happen(on.setting).catch((error: unknown) => void (failure = messageOf(error)));
    const before = load.acknowledged.length;
    const isWriting = () => load.acknowledged.length > before + resumedWrites;
    await eventually(isWriting, { timeoutMs: bound }).catch(() => undefined); // the gap shows it
    await sleep(afterMs);
    await load.stop();
    const { acknowledged: ids, errors, maxGapMs } = load;
    const undelivered = await missingOf(ids, on.delivered);
    const lost = ids.length - (await on.count(ids));
    const twice = ids.filter((id) => (on.delivered.get(id) ?? 0) > 1).length;
    const failed = [...errors].map(([kind, count]) => `${count} × ${kind}`).join(', ') || '0';
    const gap = `${(maxGapMs / 1_000).toFixed(1)} s`;
    const isComplete = lost === 0 && undelivered === 0 && ids.length > 0 && failure === '';
    const isFine = isComplete && maxGapMs <= bound && (!withoutErrors || errors.size === 0);
    const row = [`${ids.length}`, failed, gap, `${lost}`, `${undelivered}`, `${twice}`];
    console.log(`${isFine ? 'ok  ' : 'FAIL'} ${key}: ${row.join(', ')} ${failure}`);
    rows.push([name, ...row]);
    holds &&= isFine;
    await fault.repair?.(on.setting);
  }
  const head = ['fault', 'acknowledged', 'errors', 'longest gap', 'lost', 'undelivered', 'twice'];
  console.log(markdownTable([head, ...rows]));
  return holds;
}
