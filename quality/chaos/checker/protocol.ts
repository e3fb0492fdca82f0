import type { FaultRecord } from '../records';
import type { Verdict } from '../verdict/verdict';

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

export interface CheckerSetting {
  seed: string;
  /** Folder of the records. */
  dir: string;
  gatewayUrl: string;
  databaseUrl: string;
  amqpUrl: string;
  amqpManagementUrl: string;
  tenantId: string;
  adminEmail: string;
  adminPassword: string;
  clientId: string;
  clientSecret: string;
  targetRate: number;
  workers: number;
  /** A killed sender's delivery that is sent again later than this is a finding; null: only reported. */
  longestResendMs: number | null;
}
