/** Schema of each service, and the origin of its ids (see `next_id()`). */
export interface ServiceSchema {
  service: string;
  schema: string;
  /** 0–7, part of every id of the service, so that ids of two services never collide. */
  origin: number;
}

export const serviceSchemas: readonly ServiceSchema[] = [
  { service: 'identity-svc', schema: 'identity', origin: 1 },
  { service: 'submissions-svc', schema: 'submissions', origin: 2 },
  { service: 'datalists-svc', schema: 'datalists', origin: 3 },
  { service: 'webhook-relay-svc', schema: 'webhooks', origin: 4 },
];

/** The prefix of an installation that is alone on its servers. */
export const defaultPrefix = 'canvass';

/**
 * The name of a service's database role and RabbitMQ user. Both belong to the whole server, so that each
 * installation on it needs a prefix of its own.
 */
export const loginOf = (prefix: string, schema: string): string => `${prefix}_${schema}`;
