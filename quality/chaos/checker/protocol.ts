import type { FaultRecord } from '../records';
import type { Verdict } from '../verdict/verdict';
import type { CheckerSetting } from './checker-setting';

/** From the harness to the checker. */
export type CheckerOrder =
  | { order: 'begin'; setting: CheckerSetting }
  | { order: 'receiver'; endpoint: number; how: 'well' | 'fail' | 'hang' | 'drip' }
  | { order: 'progress' }
  /** No further changes; answered when those under way are over. */
  | { order: 'cease' }
  /** All is healed: wait for quiet, then compare. */
  | { order: 'compare'; faults: FaultRecord[] };

/** From the checker to the harness. */
export type CheckerAnswer =
  | { answer: 'begun' }
  | {
      answer: 'progress';
      acknowledged: number;
      refused: number;
      unknown: number;
      deliveries: number;
      events: number;
    }
  | { answer: 'ceased' }
  | { answer: 'verdict'; verdict: Verdict }
  | { answer: 'failed'; reason: string };
