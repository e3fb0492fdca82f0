import { webhookAlert, webhookEvents } from '@canvass/contracts';
import { idSchema } from '@canvass/service-kit';
import Joi from 'joi';

/** The schemas that the operations of all slices share. */

export const view = { permission: 'WebHooks.View' } as const;
export const manage = { permission: 'WebHooks.Manage' } as const;

/** The parameter of operations on one endpoint, delivery or recovery. */
export const idOf = (what: string) =>
  Joi.object<{ id: string }>({ id: idSchema.required().description(`id of the ${what}`) });

export const maxPerSecond = Joi.number()
  .integer()
  .min(1)
  .max(1_000)
  .allow(null)
  .description('maximum deliveries per second, by all replicas together; null: no limit');

export const eventNames: readonly string[] = [...Object.values(webhookEvents), webhookAlert].map(
  ({ eventName }) => eventName,
);
