/** Schema and role of each service, and the origin of its ids (see `next_id()`). */
export interface ServiceRole {
  service: string;
  schema: string;
  role: string;
  /** 0–7, part of every id of the service, so that ids of two services never collide. */
  origin: number;
}

export const serviceRoles: readonly ServiceRole[] = [
  { service: 'identity-svc', schema: 'identity', role: 'canvass_identity', origin: 1 },
  { service: 'submissions-svc', schema: 'submissions', role: 'canvass_submissions', origin: 2 },
  { service: 'datalists-svc', schema: 'datalists', role: 'canvass_datalists', origin: 3 },
  { service: 'webhook-relay-svc', schema: 'webhooks', role: 'canvass_webhooks', origin: 4 },
];
