import { idSchema, instantSchema, visibleText } from '@canvass/service-kit';
import Joi from 'joi';
import { filterMembers, filterRefusals, type DeliveryFilter } from '../log';

export const recoveryKind = 'webhook_recovery';

/**
 * `failed`: deliveries that failed or are dead; `all`: those that were delivered or cancelled, too;
 * `missing`: messages that the endpoint of the filter never got.
 */
export const recoveryModes = ['failed', 'all', 'missing'] as const;
export type RecoveryMode = (typeof recoveryModes)[number];

/** The request of the job of a recovery: what it takes. */
export interface RecoveryRequest {
  mode: RecoveryMode;
  filter: DeliveryFilter;
  /** Null: all that the filter matches. */
  deliveryIds: string[] | null;
}

export interface RecoveryBody {
  mode: RecoveryMode;
  filter?: DeliveryFilter;
  deliveryIds?: string[];
  reason?: string;
}

const maxIds = 1_000;

/** Members of a filter that say something about a message that was not delivered. */
const ofMissing: readonly (keyof DeliveryFilter)[] = [
  'endpointId',
  'formId',
  'entityId',
  'messageId',
  'eventName',
  'text',
  'from',
  'to',
];

const fitsMode: Joi.CustomValidator<RecoveryBody> = (body, helpers) => {
  if (body.mode !== 'missing') return body;
  if (body.filter?.endpointId === undefined)
    return helpers.message({ custom: 'needs filter.endpointId in the mode missing' });
  const other = Object.keys(body.filter).find((name) => !(ofMissing as readonly string[]).includes(name));
  if (other === undefined) return body;
  return helpers.message({ custom: 'has a member of the filter that the mode missing does not have' });
};

export const recoveryBody = Joi.object<RecoveryBody>({
  mode: Joi.string()
    .valid(...recoveryModes)
    .required()
    .description(
      '`failed`: failed and dead deliveries; `all`: also those that were delivered or cancelled; `missing`: makes deliveries of stored messages for an endpoint that was added later',
    ),
  filter: Joi.object<DeliveryFilter>(filterMembers)
    .id('WebhookDeliveryFilter')
    .meta(filterRefusals)
    .description('as for the list of deliveries; all must hold; `{}` takes all deliveries of the tenant'),
  deliveryIds: Joi.array().items(idSchema).min(1).max(maxIds).unique().description('only these deliveries'),
  reason: visibleText(500).description('why; the list of recoveries shows it'),
})
  .xor('filter', 'deliveryIds')
  .custom(fitsMode)
  .id('WebhookRecoveryBody')
  .example({
    mode: 'failed',
    filter: { endpointId: '186512345677000576', statusCode: '500-599', from: '2026-11-20T00:00:00Z' },
    reason: 'The receiver was down.',
  });

export const dryRunQuery = Joi.object<{ dryRun: boolean }>({
  dryRun: Joi.boolean()
    .default(false)
    .description('true: returns what a recovery would take, and starts nothing'),
});

export const sinceBody = Joi.object<{ since: Date }>({
  since: instantSchema('deliveries made at or after this time').required(),
}).id('WebhookRecoverySince');

export const requestOf = ({ mode, filter = {}, deliveryIds }: RecoveryBody): RecoveryRequest => ({
  mode,
  filter,
  deliveryIds: deliveryIds ?? null,
});
