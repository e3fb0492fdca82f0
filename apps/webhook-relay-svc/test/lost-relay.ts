import { createSecretBox } from '@canvass/auth';
import { webhookEventOf, type EventEnvelope } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { storeSettings } from '../src/endpoints/store-settings';
import { createFanOut, createLeases, createSendSlots } from '../src/pipeline';
import { messageBody } from '../src/event-bytes';
import type { Job } from '../src/pipeline/leases';
import type { Claimed, Leases } from '../src/pipeline/leases';
import { endpointAt, newTenant, type Harness, type Tenant } from './harness';

/** The key of the test relays. */
export const box = createSecretBox([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);

/** A tenant with one endpoint, whose settings are in the tables already. */
export async function settledTenant(
  { db, owner }: Pick<Harness, 'db' | 'owner'>,
  url: string,
): Promise<Tenant> {
  const tenant = newTenant(owner);
  const endpoints = [endpointAt(url)];
  const ref = tenant.configure('SubmissionCompleted', endpoints);
  const events = { SubmissionCompleted: { isEnabled: true, endpoints } };
  await storeSettings(db, box, { tenantId: tenant.tenantId, ...ref, events });
  return tenant;
}

export const testLeases = (db: Database, { seconds = 45, maxInFlight = 200 } = {}): Leases =>
  createLeases({ db, box, slots: createSendSlots(), seconds, maxInFlight });

/** A relay up to the moment it dies: it commits what it claims and sends nothing. */
export interface LostRelay {
  leases: Leases;
  /** The deliveries that it has leased at fan-out. */
  claimed: Claimed[];
  /** Handles an event; resolves with the deliveries that did not start. `leftOut` does not get it. */
  take(envelope: EventEnvelope, leftOut?: readonly string[]): Promise<Job[]>;
}

export function lostRelay(db: Database, options: { seconds?: number; maxInFlight?: number } = {}): LostRelay {
  const claimed: Claimed[] = [];
  const leases = testLeases(db, options);
  const fanOut = createFanOut({
    db,
    leases,
    deliverer: { start: (deliveries) => void claimed.push(...deliveries) },
    sweepAfterSeconds: 0,
  });
  return {
    leases,
    claimed,
    take(envelope, leftOut = []) {
      const kind = webhookEventOf(envelope.type)!;
      const body = messageBody(envelope, kind, Buffer.from(JSON.stringify(envelope.data)));
      return fanOut({ envelope, kind, settings: envelope.settings!, body, leftOut });
    },
  };
}
