import Joi from 'joi';
import {
  dataListViewSchema,
  formViewSchema,
  submissionMembers,
  submissionViewSchema,
} from './entity-schemas';
import type { ReviewStatus } from './entities';
import { submissionExample } from './entity-examples';
import type {
  ErasedAnswers,
  EventData,
  EventType,
  ExportChanged,
  FormsResynced,
  ImportChanged,
  SettingsResynced,
  SettingsChanged,
  SettingsRef,
  SubmissionIds,
  SubmissionErased,
  SubmitterErased,
} from './events';
import { exactObject } from './exact-object';
import {
  deliveryDeadSchema,
  endpointDisabledSchema,
  endpointFailingSchema,
  endpointRecoveredSchema,
} from './operational-events';
import type { SettingsScope } from './webhook-settings';
import { wireId } from './wire-types';

const settingsMembers: Joi.StrictSchemaMap<SettingsRef> = {
  scope: Joi.string<SettingsScope>().valid('form', 'tenant').description('level of the settings'),
  scopeId: wireId.description('id of the form or tenant'),
  version: wireId.description('version number, from 1'),
};

/** The webhook settings that were in force. Events never contain the settings themselves. */
export const settingsRefSchema = exactObject<SettingsRef>('SettingsRef', settingsMembers).description(
  'The webhook settings in force when the event happened.',
);

const settingsChangedSchema = exactObject<SettingsChanged>('SettingsChanged', settingsMembers)
  .description('The webhook settings that have a new version. It contains no URL and no key.')
  .example({ scope: 'tenant', scopeId: '1', version: '3' });

type StatusChanged = EventData['submission.collection_status_changed'];

const submissionStatusChangedSchema = exactObject<StatusChanged>('SubmissionStatusChanged', {
  ...submissionMembers,
  previousCollectionStatus: Joi.string().description(
    'collectionStatus before the change; `in_progress` if the submission was created as screened out',
  ),
}).description('A submission and its previous collectionStatus.');

type Reviewed = EventData['submission.status_changed'];

const submissionReviewedSchema = exactObject<Reviewed>('SubmissionReviewed', {
  ...submissionMembers,
  previousStatus: Joi.string<ReviewStatus>()
    .valid('new', 'read', 'approved', 'declined')
    .description('`status` before the change'),
}).description('A submission and its previous review status.');

const { id, formId, submitterId } = submissionExample;

const idMembers: Joi.StrictSchemaMap<SubmissionIds> = {
  id: wireId.description('id of the submission'),
  formId: wireId.description('id of its form'),
  revision: wireId.description('revision of the submission after the change'),
};

const answers = Joi.string<ErasedAnswers>()
  .valid('kept', 'deleted')
  .description('`kept`: the answers are anonymous now; `deleted`: they were deleted, too');

const submissionIdsSchema = exactObject<SubmissionIds>('SubmissionIds', idMembers)
  .description('The ids of a submission that changed.')
  .example({ id, formId, revision: '3' });

const submissionErasedSchema = exactObject<SubmissionErased>('SubmissionErased', {
  ...idMembers,
  answers,
})
  .description('The ids of a submission whose data was erased.')
  .example({ id, formId, revision: '3', answers: 'deleted' });

const submitterErasedSchema = exactObject<SubmitterErased>('SubmitterErased', {
  id: wireId.description('id of the submitter'),
  answers,
})
  .description('The id of a respondent who was erased.')
  .example({ id: submitterId!, answers: 'deleted' });

const exportChangedSchema = exactObject<ExportChanged>('ExportChanged', {
  id: wireId.description('id of the export'),
  formId: wireId.description('id of the form'),
  revision: wireId.description('greater after each change of the state'),
  state: Joi.string<ExportChanged['state']>()
    .valid('running', 'done', 'failed', 'cancelled')
    .description('the state of the export'),
})
  .description('The ids of an export and its state.')
  .example({ id: '186512345690000128', formId, revision: '2', state: 'done' });

const importChangedSchema = exactObject<ImportChanged>('ImportChanged', {
  id: wireId.description('id of the import'),
  listId: wireId.description('id of the data list'),
  revision: wireId.description('greater after each change of the state'),
  state: Joi.string<ImportChanged['state']>()
    .valid('receiving', 'ready', 'rejected', 'applied', 'deleted')
    .description('the state of the import; `deleted`: it was cancelled, discarded or has expired'),
})
  .description('The ids of a staged import and its state.')
  .example({ id: '186512345691000192', listId: '186512345671000192', revision: '2', state: 'ready' });

const formsResyncedSchema = exactObject<FormsResynced>('FormsResynced', {
  since: wireId.description('an event id'),
})
  .description('When the forms of a tenant were sent again.')
  .example({ since: '186512345670000128' });

const settingsResyncedSchema = exactObject<SettingsResynced>('SettingsResynced', {
  since: wireId.description('an id from before the settings were read'),
  scopeIds: Joi.array().items(wireId).required().description('the tenant and the forms that have settings'),
})
  .description('Which webhook settings of a tenant exist.')
  .example({ since: '186512345670000128', scopeIds: [id] });

/** Schema of the data of each event: exactly the members of its type. */
export const eventDataSchemas: { readonly [T in EventType]: Joi.ObjectSchema<EventData[T]> } = {
  'form.created': formViewSchema,
  'form.updated': formViewSchema,
  'form.enabled_state_changed': formViewSchema,
  'form.deleted': formViewSchema,
  'form.resynced': formViewSchema,
  'form.webhook_settings_changed': settingsChangedSchema,
  'tenant.webhook_settings_changed': settingsChangedSchema,
  'tenant.forms_resynced': formsResyncedSchema,
  'tenant.settings_resynced': settingsResyncedSchema,
  'submission.created': submissionIdsSchema,
  'submission.updated': submissionIdsSchema,
  'submission.saved': submissionViewSchema,
  'submission.completed': submissionViewSchema,
  'submission.status_changed': submissionReviewedSchema,
  'submission.collection_status_changed': submissionStatusChangedSchema,
  'submission.deleted': submissionIdsSchema,
  'submission.erased': submissionErasedSchema,
  'submitter.erased': submitterErasedSchema,
  'export.running': exportChangedSchema,
  'export.done': exportChangedSchema,
  'export.failed': exportChangedSchema,
  'export.cancelled': exportChangedSchema,
  'datalist.created': dataListViewSchema,
  'datalist.imported': dataListViewSchema,
  'datalist.updated': dataListViewSchema,
  'datalist.deleted': dataListViewSchema,
  'import.receiving': importChangedSchema,
  'import.ready': importChangedSchema,
  'import.rejected': importChangedSchema,
  'import.applied': importChangedSchema,
  'import.deleted': importChangedSchema,
  'webhook.endpoint_failing': endpointFailingSchema,
  'webhook.endpoint_disabled': endpointDisabledSchema,
  'webhook.endpoint_recovered': endpointRecoveredSchema,
  'webhook.delivery_dead': deliveryDeadSchema,
};

/** The occasions when each event is published. */
export const eventSummaries: Readonly<Record<EventType, string>> = {
  'form.created': 'A form was created.',
  'form.updated': 'A form was updated, even if the update changed nothing.',
  'form.enabled_state_changed':
    '`isEnabled` of a form changed; `form.updated` with the same revision follows.',
  'form.deleted': 'A form was soft-deleted; `data` is its last state.',
  'form.resynced': 'An operator sent the current state of a form again; it did not change.',
  'form.webhook_settings_changed': 'The webhook settings of a form have a new version.',
  'tenant.webhook_settings_changed': 'The webhook settings of a tenant have a new version.',
  'tenant.forms_resynced':
    'An operator sent all forms of a tenant again. Those without an event since then do not exist.',
  'tenant.settings_resynced':
    'An operator sent all webhook settings of a tenant again. Those that are not in the list and have a smaller version do not exist.',
  'submission.created':
    'A submission was started; it is neither complete nor screened out; `data` has its ids only.',
  'submission.updated':
    'A submission changed, except for the changes of the events below; `data` has its ids only.',
  'submission.saved':
    'Published instead of the two above where the webhook settings in force have an endpoint for `SubmissionUpdated`: a submission was started, saved or restored, and not completed by that.',
  'submission.completed': 'A submission was completed; once per submission.',
  'submission.status_changed':
    'The review status of a submission changed. Published instead of `submission.updated` where the webhook settings in force have an endpoint for `SubmissionStatusChanged`.',
  'submission.collection_status_changed': 'A respondent was screened out.',
  'submission.deleted': 'A submission was deleted; `data` has its ids only.',
  'submission.erased':
    'The data of a submission, or that of its respondent in it, was erased: delete copies of it. It has the revision of the change, which has its own event, if there was one.',
  'submitter.erased': 'A respondent was erased; `data` has the id only.',
  'export.running': 'An export of submissions to a file was started.',
  'export.done': 'The file of an export is complete.',
  'export.failed': 'An export failed, or its file was deleted, because a submission in it was erased.',
  'export.cancelled': 'An export was cancelled.',
  'datalist.created': 'A data list was created.',
  'datalist.imported': 'All items of a data list were replaced.',
  'datalist.updated': 'A data list changed, but not by an import.',
  'datalist.deleted': 'A data list was deleted; `data` is its last state.',
  'import.receiving': 'The file of a staged import is being received.',
  'import.ready': 'A staged import can be applied.',
  'import.rejected': 'The file of a staged import has errors.',
  'import.applied': 'A staged import was applied; the list has a `datalist.imported`, too.',
  'import.deleted': 'A staged import was cancelled or discarded, or has expired.',
  'webhook.endpoint_failing': 'The circuit of a webhook endpoint opened after several failures in a row.',
  'webhook.endpoint_disabled':
    'A webhook endpoint was disabled: it answered 410, had no success for days, or was disabled by a person.',
  'webhook.endpoint_recovered':
    'A failing webhook endpoint accepted a delivery, or a disabled one was enabled.',
  'webhook.delivery_dead':
    'A webhook delivery used up its retry schedule; after a resend this can happen again.',
};

export const eventTypes = Object.keys(eventDataSchemas) as EventType[];
