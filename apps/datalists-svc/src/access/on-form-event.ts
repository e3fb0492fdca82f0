import { eventEnvelopeSchema, type EventEnvelope, type FormView } from '@canvass/contracts';
import type { IncomingMessage, Outcome } from '@canvass/messaging';
import type { Queryable } from '@canvass/postgres';
import { idSchema, type Logger } from '@canvass/service-kit';
import Joi from 'joi';
import { saveFormCopy } from './access.sql';

/** Form events that carry the form; the others that the queue is bound for are of no concern here. */
const formEvents = ['form.created', 'form.updated', 'form.enabled_state_changed', 'form.deleted'];

/** Ids as Postgres can keep them; the envelope's own schema lets larger numbers pass. */
const envelopeIds = Joi.object<Pick<EventEnvelope, 'tenantId' | 'revision'>>({
  tenantId: idSchema.required(),
  revision: idSchema.required(),
}).unknown(true);

type FormPart = Pick<FormView, 'id' | 'name' | 'isEnabled' | 'dataListIds'>;

const formPart = Joi.object<FormPart>({
  id: idSchema.required(),
  // U+0000 is what no Postgres text holds.
  name: Joi.string()
    .allow('')
    .pattern(/^[^\0]*$/)
    .required(),
  isEnabled: Joi.boolean().required(),
  dataListIds: Joi.array().items(idSchema).required(),
}).unknown(true);

/**
 * Keeps this service's copy of which form may read which list. Idempotent and guarded by the form's revision, so that
 * order and repetition of events do not matter. A message that is no envelope of ours is `dead`; a database that does
 * not answer makes it throw, and the message comes again.
 */
export function formEventHandler(
  db: Queryable,
  logger: Logger,
): (message: Pick<IncomingMessage, 'body' | 'messageId'>) => Promise<Outcome> {
  return async ({ body, messageId }) => {
    const event = parseEnvelope(body);
    if (event === null) {
      logger.error({ messageId }, 'a message on the form queue is no event envelope');
      return 'dead';
    }
    if (!formEvents.includes(event.type)) return 'ack';
    const { value: form, error } = formPart.validate(event.data);
    if (error !== undefined) {
      logger.error({ messageId, fault: error.message }, 'a form event does not carry a form');
      return 'dead';
    }
    await saveFormCopy(db, {
      tenantId: event.tenantId,
      formId: form.id,
      name: form.name,
      isEnabled: form.isEnabled,
      isDeleted: event.type === 'form.deleted',
      listIds: form.dataListIds,
      revision: event.revision,
    });
    return 'ack';
  };
}

function parseEnvelope(body: Buffer): EventEnvelope | null {
  try {
    const { value, error } = eventEnvelopeSchema.validate(JSON.parse(body.toString('utf8')));
    const sound = error === undefined && isObject(value) && envelopeIds.validate(value).error === undefined;
    return sound ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
