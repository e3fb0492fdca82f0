import { wireId } from '@canvass/contracts';
import Joi from 'joi';

/** Kinds of things that a search finds, in the order of the results. */
export const foundKinds = [
  'form',
  'submission',
  'submitter',
  'dataList',
  'webhookEndpoint',
  'delivery',
  'message',
  'user',
  'serviceAccount',
] as const;
export type FoundKind = (typeof foundKinds)[number];

/** Something that has the searched id or name. */
export interface Found {
  kind: FoundKind;
  id: string;
  /** The name that people call it by; null for things that have an id only. */
  name: string | null;
  /** The form that it belongs to, or null. */
  formId: string | null;
}

export const foundMembers: Joi.StrictSchemaMap<Found> = {
  kind: Joi.string()
    .valid(...foundKinds)
    .description('what it is'),
  id: wireId.description('its id'),
  name: Joi.string()
    .allow(null, '')
    .description(
      'name of a form, data list or service account, display id of a submitter, address of a user or an endpoint; null for others',
    ),
  formId: wireId.allow(null).description('the form that it belongs to; null without one'),
};
