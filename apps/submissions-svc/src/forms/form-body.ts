import { idSchema, visibleText } from '@canvass/service-kit';
import Joi from 'joi';

/** What a client sends of a form; on PATCH only some of it. */
export interface FormBody {
  name: string;
  description: string | null;
  isEnabled: boolean;
  isPublic: boolean;
  limitOnePerUser: boolean;
  definition: Record<string, unknown>;
  submissionTokenExpiryHours: number | null;
  dataListIds: string[];
  /** JSON text; null: no override. */
  webHookSettingsJson: string | null;
}

const members = {
  name: visibleText(200).description('what the form is called').example('Registration'),
  description: Joi.string().allow('', null).max(2000).description('what the form is for'),
  isEnabled: Joi.boolean().description('whether the form takes submissions'),
  isPublic: Joi.boolean().description('whether respondents need no token'),
  limitOnePerUser: Joi.boolean().description(
    'one submission per identified respondent; anonymous ones are not limited',
  ),
  definition: Joi.object().description('for the form runtime; any JSON object').example({ pages: [] }),
  submissionTokenExpiryHours: Joi.number()
    .integer()
    .min(1)
    .max(87_600)
    .allow(null)
    .description('how long the token of an unfinished submission is accepted after each use; null: 24'),
  dataListIds: Joi.array().items(idSchema).unique().max(100).description('data lists the form may read'),
  webHookSettingsJson: Joi.string()
    .allow('', null)
    .description(
      "JSON text of webhook settings that replace the tenant's for this form; `{}` sends nothing, null removes them. At most 262144 characters, 20 endpoints per event. `********` as an ApiKey keeps the stored key.",
    )
    .example('{}'),
};

/** Members of the answer that a client may send back with a change; they have no effect. */
const readOnly = Object.fromEntries(
  ['id', 'createdAt', 'modifiedAt', 'revision'].map((name) => [name, Joi.any().strip()]),
);

/** POST: absent members take their defaults; without `webHookSettingsJson` the tenant's settings apply. */
export const newFormSchema = Joi.object<FormBody>({
  ...members,
  ...readOnly,
  name: members.name.required(),
  description: members.description.default(null),
  isEnabled: members.isEnabled.default(true),
  isPublic: members.isPublic.default(true),
  limitOnePerUser: members.limitOnePerUser.default(false),
  definition: members.definition.default({}),
  submissionTokenExpiryHours: members.submissionTokenExpiryHours.default(null),
  dataListIds: members.dataListIds.default([]),
  webHookSettingsJson: members.webHookSettingsJson.default(null),
}).id('FormBody');

/** What PUT always sets; other members keep their value when absent. */
export type ReplacedForm = Partial<FormBody> & Pick<FormBody, 'name' | 'isEnabled' | 'webHookSettingsJson'>;

/**
 * PUT: a client that knows only the specification's members must not change the others, least of all open a private
 * form. Without `webHookSettingsJson` the override is removed (specification, webHookSettingsJson rule 1).
 */
export const replacedFormSchema = Joi.object<ReplacedForm>({
  ...members,
  ...readOnly,
  name: members.name.required(),
  isEnabled: members.isEnabled.required(),
  webHookSettingsJson: members.webHookSettingsJson.default(null),
}).id('FormReplacement');

/** PATCH: absent members stay; `webHookSettingsJson: null` removes the override. */
export const changedFormSchema = Joi.object<Partial<FormBody>>({ ...members, ...readOnly }).id('FormChanges');
