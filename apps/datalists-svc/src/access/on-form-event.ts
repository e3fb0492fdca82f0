import {
  eventEnvelopeSchema,
  type EventEnvelope,
  type FormsResynced,
  type FormView,
} from '@canvass/contracts';
import type { IncomingMessage, Outcome } from '@canvass/messaging';
import type { Queryable } from '@canvass/postgres';
import { idSchema, type Logger } from '@canvass/service-kit';
import Joi from 'joi';
import { deleteFormCopies, saveFormCopy } from './access.sql';

/** The form events that contain the form. Other events of the queue are ignored. */
const formEvents = [
  'form.created',
  'form.updated',
  'form.enabled_state_changed',
  'form.deleted',
  'form.resynced',
];

/** Ids that Postgres can store. The schema of the envelope allows larger numbers. */
const envelopeIds = Joi.object<Pick<EventEnvelope, 'id' | 'tenantId' | 'revision'>>({
  id: idSchema.required(),
  tenantId: idSchema.required(),
  revision: idSchema.required(),
}).unknown(true);

type FormPart = Pick<FormView, 'id' | 'name' | 'isEnabled' | 'isPublic' | 'dataListIds'>;

const formPart = Joi.object<FormPart>({
  id: idSchema.required(),
  // Postgres text cannot contain U+0000.
  name: Joi.string()
    .allow('')
    .pattern(/^[^\0]*$/)
    .required(),
  isEnabled: Joi.boolean().required(),
  isPublic: Joi.boolean().required(),
  dataListIds: Joi.array().items(idSchema).required(),
}).unknown(true);

const formsResynced = Joi.object<FormsResynced>({ since: idSchema.required() }).unknown(true);

/**
 * Maintains this service's copy of which form may read which list. It is idempotent and guarded by the event
 * id, so the order and repetition of events do not matter. A message that is not an event envelope is
 * `dead`. If the database is down it throws, and the message is redelivered.
 */
export function formEventHandler(
  db: Queryable,
  logger: Logger,
): (message: Pick<IncomingMessage, 'body' | 'messageId'>) => Promise<Outcome> {
  function deadLetter(messageId: string, fault: string): Outcome {
    logger.error({ messageId, fault }, 'unprocessable event dead-lettered: no valid data');
    return 'dead';
  }

  return async ({ body, messageId }) => {
    const event = parseEnvelope(body);
    if (event === null) {
      logger.error({ messageId }, 'unprocessable message dead-lettered: not an event envelope');
      return 'dead';
    }
    if (event.type === 'tenant.forms_resynced') {
      const { value, error } = formsResynced.validate(event.data);
      if (error !== undefined) return deadLetter(messageId, error.message);
      await deleteFormCopies(db, event.tenantId, value.since);
      return 'ack';
    }
    if (!formEvents.includes(event.type)) return 'ack';
    const { value: form, error } = formPart.validate(event.data);
    if (error !== undefined) return deadLetter(messageId, error.message);
    await saveFormCopy(db, {
      tenantId: event.tenantId,
      formId: form.id,
      name: form.name,
      isEnabled: form.isEnabled,
      isPublic: form.isPublic,
      isDeleted: event.type === 'form.deleted',
      listIds: form.dataListIds,
      revision: event.revision,
      eventId: event.id,
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
