/** Which schema and role each service has, and the origin in its ids (see `nextIdMigration`). */
export interface ServiceRole {
  service: string;
  schema: string;
  role: string;
  /** 0–15, part of every id the service makes, so that ids of two services never meet. */
  origin: number;
}

export const serviceRoles: readonly ServiceRole[] = [
  { service: 'identity-svc', schema: 'identity', role: 'canvass_identity', origin: 1 },
  { service: 'submissions-svc', schema: 'submissions', role: 'canvass_submissions', origin: 2 },
  { service: 'datalists-svc', schema: 'datalists', role: 'canvass_datalists', origin: 3 },
  { service: 'webhook-relay-svc', schema: 'webhooks', role: 'canvass_webhooks', origin: 4 },
];
