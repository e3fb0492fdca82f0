import { actorSchema } from '@canvass/audit';
import { exactObject, formExample, formMembers, wireDate, wireId } from '@canvass/contracts';
import { creationHeaders, listAnswer, revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import {
  maskedSettings,
  maskedSettingsExample,
  maskedSettingsSchema,
  maskedSettingsText,
} from '../webhook-settings';
import type { ChosenForm, FormAnswer } from './form-record';
import type { FormSettingsView } from './form-settings';
import type { FormVersion, FormVersionDetail } from './form-versions.sql';
import type { RuntimeForm } from './runtime-form';

/** Responses of the operations on forms, for documents and tests. */

const example: FormAnswer = { ...formExample, webHookSettingsJson: maskedSettingsExample };

const form = exactObject<FormAnswer>('Form', {
  ...formMembers,
  webHookSettingsJson: maskedSettingsText.description(
    'webhook settings that replace those of the tenant, as JSON text with masked secrets; null if those of the tenant apply or the caller lacks `WebHooks.View`',
  ),
})
  .description('A form with its management data.')
  .example(example);

const runtimeExample: RuntimeForm = {
  id: formExample.id,
  name: formExample.name,
  description: formExample.description,
  definition: formExample.definition,
  dataListIds: formExample.dataListIds,
  opensAt: formExample.opensAt,
  closesAt: formExample.closesAt,
  maxSubmissions: formExample.maxSubmissions,
  page: formExample.page,
  revision: formExample.revision,
};

const runtimeForm = exactObject<RuntimeForm>('RuntimeForm', {
  id: formMembers.id,
  name: formMembers.name,
  description: formMembers.description,
  definition: formMembers.definition,
  dataListIds: formMembers.dataListIds,
  opensAt: formMembers.opensAt,
  closesAt: formMembers.closesAt,
  maxSubmissions: formMembers.maxSubmissions,
  page: formMembers.page,
  revision: formMembers.revision,
})
  .description('The part of a form that a form runtime needs.')
  .example(runtimeExample);

export const createdForm: DescribedAnswer = {
  description: 'The new form.',
  body: form,
  headers: creationHeaders,
  example: { ...example, webHookSettingsJson: null },
};

export const oneForm: DescribedAnswer = {
  description: 'The form.',
  body: form,
  headers: revisionHeader,
  example,
};

export const savedForm: DescribedAnswer = {
  ...oneForm,
  description: 'The current state of the form.',
  example: { ...example, modifiedAt: '2026-11-20T08:12:45.120Z', revision: '2' },
};

const chosen = Joi.object<ChosenForm>({
  ...formMembers,
  webHookSettingsJson: maskedSettingsText.description(
    'webhook settings of the form as JSON text with masked secrets; null without an override or `WebHooks.View`',
  ),
  submissionsCount: Joi.number()
    .integer()
    .min(0)
    .description('exact number of its submissions, without deleted ones'),
  lastSubmissionAt: wireDate.allow(null).description('creation of its newest submission; null: it has none'),
  webhookSource: Joi.string()
    .valid('form', 'tenant', 'none')
    .allow(null)
    .description('whose webhook settings apply; null without `WebHooks.View`'),
})
  .id('FormFields')
  .description('The chosen members of a form.')
  .example({ id: formExample.id, name: formExample.name, lastSubmissionAt: null, webhookSource: 'tenant' });

export const formPage = listAnswer('Form', form, example, 'A page of forms.', [chosen]);

export const oneRuntimeForm: DescribedAnswer = {
  description: 'The form without its management data.',
  body: runtimeForm,
  headers: revisionHeader,
  example: runtimeExample,
};

const versionExample: FormVersion = {
  revision: '1',
  savedAt: formExample.createdAt,
  savedBy: { provider: 'Service', kind: 'user', subject: '186512345670000128' },
};

const versionMembers = {
  revision: wireId.description('the first revision of the form with this definition'),
  savedAt: wireDate.description('when it was saved'),
  savedBy: actorSchema.allow(null).description('who saved it; null if unknown'),
};

const versionOfPage = exactObject<FormVersion>('FormVersion', versionMembers)
  .description('A definition of a form, without the definition itself.')
  .example(versionExample);

const versionDetailExample: FormVersionDetail = { ...versionExample, definition: formExample.definition };

const versionDetail = exactObject<FormVersionDetail>('FormVersionDetail', {
  ...versionMembers,
  definition: formMembers.definition,
})
  .description('A definition of a form.')
  .example(versionDetailExample);

export const pageOfFormVersionsAnswer = listAnswer(
  'FormVersion',
  versionOfPage,
  versionExample,
  'A page of versions.',
);

export const oneFormVersion: DescribedAnswer = {
  description: 'The version.',
  body: versionDetail,
  headers: revisionHeader,
  example: versionDetailExample,
};

const settingsExample: FormSettingsView = { settings: maskedSettings, revision: '186512345670000064' };

const formSettings = exactObject<FormSettingsView>('FormWebhookSettings', {
  settings: maskedSettingsSchema.allow(null).description('null if the settings of the tenant apply'),
  revision: Joi.string()
    .pattern(/^(0|[1-9][0-9]{0,18})$/)
    .meta({ format: 'int64' })
    .description('the version in force, greater after each change; `0` without settings'),
})
  .description('The webhook settings of one form.')
  .example(settingsExample);

export const oneFormSettings: DescribedAnswer = {
  description: 'The settings.',
  body: formSettings,
  headers: revisionHeader,
  example: settingsExample,
};

export const savedFormSettings: DescribedAnswer = {
  ...oneFormSettings,
  description: 'The current settings. Saving equal settings changes nothing.',
};
