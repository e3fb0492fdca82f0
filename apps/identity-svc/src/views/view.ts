import { idSchema, visibleText } from '@canvass/service-kit';
import Joi from 'joi';

/** Settings that clients make and read: any JSON object. */
export type ClientSettings = Record<string, unknown>;

export type Visibility = 'me' | 'tenant';

/** A saved view of a list in the API. */
export interface SavedView {
  id: string;
  screen: string;
  scopeId: string | null;
  name: string;
  visibility: Visibility;
  isDefault: boolean;
  settings: ClientSettings;
  /** Returns whether the caller made it. */
  isOwn: boolean;
  revision: string;
  createdAt: Date;
  modifiedAt: Date;
}

/** The members that a client can send with a create. */
export interface NewView {
  screen: string;
  scopeId: string | null;
  name: string;
  visibility: Visibility;
  isDefault: boolean;
  settings: ClientSettings;
}

export type ViewChange = Partial<Pick<NewView, 'name' | 'visibility' | 'isDefault' | 'settings'>>;

/** Size limit of settings as JSON text, in bytes of UTF-8. */
const maxBytes = 16 * 1024;

export const clientSettings = Joi.object<ClientSettings>()
  .custom((value: object, { message }) =>
    Buffer.byteLength(JSON.stringify(value)) > maxBytes
      ? message({ custom: `must be at most ${maxBytes} bytes as JSON` })
      : value,
  )
  .description(`any JSON object of at most ${maxBytes} bytes, made and read by clients`);

export const screenSchema = Joi.string()
  .pattern(/^[a-z][a-z0-9-]{0,49}$/)
  .messages({ 'string.pattern.base': 'must be 1 to 50 characters a-z, 0-9 and -, with a letter first' })
  .description('the list that it is a view of')
  .example('submissions');

const members = {
  name: visibleText(100).description('name of the view').example('To review'),
  visibility: Joi.string()
    .valid('me', 'tenant')
    .description('who sees it: its owner, or everybody in the tenant (needs `Forms.Edit`)'),
  isDefault: Joi.boolean().description(
    'whether the list opens with it; the view that was the default before, of the owner or of the tenant, is no longer',
  ),
  settings: clientSettings.example({ columns: ['status'], filter: ['status:new'] }),
};

export const newViewSchema = Joi.object<NewView>({
  ...members,
  screen: screenSchema.required(),
  scopeId: idSchema.allow(null).default(null).description('the form or list whose rows are shown'),
  name: members.name.required(),
  visibility: members.visibility.default('me'),
  isDefault: members.isDefault.default(false),
  settings: members.settings.required(),
})
  .example({ screen: 'submissions', name: 'To review', settings: { filter: ['status:new'] } })
  .id('ViewBody');

export const viewChangeSchema = Joi.object<ViewChange>({
  ...members,
  ...Object.fromEntries(
    ['id', 'screen', 'scopeId', 'isOwn', 'revision', 'createdAt', 'modifiedAt'].map((name) => [
      name,
      Joi.any().strip(),
    ]),
  ),
})
  .example({ isDefault: true })
  .id('ViewChange');
