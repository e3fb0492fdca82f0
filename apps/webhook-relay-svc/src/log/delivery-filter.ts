import { idSchema, instantTextSchema } from '@canvass/service-kit';
import Joi from 'joi';
import { outcomes, type Outcome } from '../pipeline';
import { eventNames } from '../webhook-operations';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'dead', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The deliveries that a list shows or a recovery takes. A job stores it as JSON. */
export interface DeliveryFilter {
  endpointId?: string;
  formId?: string;
  entityId?: string;
  messageId?: string;
  eventName?: string;
  status?: DeliveryStatus[];
  outcome?: Outcome[];
  /** `503`, or the first and the last of a range: `500-599`. */
  statusCode?: string;
  isTest?: boolean;
  minAttempts?: number;
  /** Text within the message. */
  text?: string;
  /** The time when the delivery was made, in ISO 8601: `from` inclusive, `to` exclusive. */
  from?: string;
  to?: string;
}

const several = <T extends string>(...values: readonly T[]) =>
  Joi.array()
    .items(Joi.string().valid(...values))
    .min(1)
    .unique();

/** Text is searched in the bodies of messages, so it needs a range of times or a single entity. */
const textWithinRange: Joi.CustomValidator<string> = (text, helpers) => {
  const [{ from, entityId, messageId } = {}] = helpers.state.ancestors as DeliveryFilter[];
  if ((from ?? entityId ?? messageId) !== undefined) return text;
  return helpers.message({ custom: 'needs from, entityId or messageId' });
};

const statusRange: Joi.CustomValidator<string> = (text, helpers) => {
  const [first, last = first] = text.split('-');
  return first! <= last! ? text : helpers.message({ custom: 'must begin with the smaller status' });
};

/** The members of a filter, for queries and bodies. */
export const filterMembers = {
  endpointId: idSchema.description('only those for this endpoint'),
  formId: idSchema.description('only those of this form and its submissions'),
  entityId: idSchema.description('only those of this submission or form'),
  messageId: idSchema.description('only those of this message'),
  eventName: Joi.string()
    .valid(...eventNames)
    .description('only those of this event'),
  status: several(...deliveryStatuses).description('only those in one of these statuses'),
  outcome: several(...outcomes).description('only those whose last attempt ended in one of these ways'),
  statusCode: Joi.string()
    .pattern(/^[1-9][0-9]{2}(-[1-9][0-9]{2})?$/)
    .custom(statusRange)
    .description('only those whose last attempt had this HTTP status, or one of this range')
    .example('500-599'),
  isTest: Joi.boolean().description('true: only test messages; false: all others'),
  minAttempts: Joi.number()
    .integer()
    .min(0)
    .max(1_000_000)
    .description('only those with at least so many attempts'),
  text: Joi.string()
    .min(2)
    .max(200)
    .pattern(/^[^\u0000]*$/)
    .custom(textWithinRange)
    .description(
      'only those whose message contains this text, case-sensitive; needs `from`, `entityId` or `messageId`',
    ),
  from: instantTextSchema('created at or after this time'),
  to: instantTextSchema('created before this time', '2026-11-21T00:00:00Z'),
} satisfies Record<keyof DeliveryFilter, Joi.Schema>;

const has = (name: keyof DeliveryFilter) => ({
  required: [name],
  properties: { [name]: { not: { type: 'null' } } },
});

/** What the documents say of `textWithinRange`. */
export const filterRefusals = {
  refuses: [{ ...has('text'), not: { anyOf: [has('from'), has('entityId'), has('messageId')] } }],
};
