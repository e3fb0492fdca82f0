import { webhookEvents } from '@canvass/contracts';
import { idSchema } from '@canvass/service-kit';
import Joi from 'joi';

/** What the operations of all slices share. */

export const view = { permission: 'WebHooks.View' } as const;
export const manage = { permission: 'WebHooks.Manage' } as const;

/** The parameter of operations on one endpoint, delivery or recovery. */
export const idOf = (what: string) =>
  Joi.object<{ id: string }>({ id: idSchema.required().description(`id of the ${what}`) });

export const eventNames: readonly string[] = Object.values(webhookEvents).map(({ eventName }) => eventName);

/** A moment of a range; years beyond four digits are no ISO 8601. */
export const instant = (meaning: string): Joi.DateSchema =>
  Joi.date()
    .iso()
    .min('0001-01-01T00:00:00Z')
    .max('9999-12-31T23:59:59Z')
    .description(meaning)
    .example('2026-11-20T00:00:00Z');
