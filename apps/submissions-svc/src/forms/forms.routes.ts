import type { Database, IdempotencyUnit } from '@canvass/postgres';
import {
  created,
  endpoint,
  fieldsParameter,
  idSchema,
  listParameters,
  noContent,
  ok,
  searchText,
  type Endpoint,
  type IdempotencyStore,
} from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import type { WebhookSettingsDeps } from '../webhook-settings';
import { checkNewForm, createForm } from './create-form';
import { removeForm } from './delete-form';
import { createdForm, formPage, oneForm, oneRuntimeForm, savedForm } from './form-answers';
import { changedFormSchema, newFormSchema, replacedFormSchema, type FormChanges } from './form-body';
import { endedLink, linkHeader, linkOf } from '../links';
import { slugSchema } from './form-page';
import { formFields } from './form-fields.sql';
import { answerOf } from './form-record';
import { listFormsOf, readForm } from './read-form';
import { readRuntimeForm } from './runtime-form';
import { saveForm } from './save-form';

const named = Joi.object<{ formId: string }>({
  formId: Joi.alternatives(idSchema, slugSchema).description('id or slug of the form'),
});
const formPath = '/api/forms/:formId';

export interface FormDeps extends WebhookSettingsDeps {
  db: Database;
  idempotency: IdempotencyStore<IdempotencyUnit>;
}

/** Management of forms. */
export function formRoutes(deps: FormDeps): Endpoint[] {
  const { db } = deps;
  return [
    createRoute(deps),
    endpoint.read({
      method: 'get',
      path: '/api/forms',
      operationId: 'listForms',
      summary: 'Forms, newest first',
      access: { permission: 'Forms.View' },
      isForRestricted: true,
      query: listParameters<{ search?: string; fields?: string[] }>({
        fields: fieldsParameter(formFields),
        search: searchText().description('text within the name, case-insensitive'),
      }),
      answers: { 200: formPage },
      problems: ['query_too_broad'],
      handle: async ({ principal, query }) => ok(await listFormsOf(db, principal, query)),
    }),
    endpoint.read({
      method: 'get',
      path: formPath,
      operationId: 'getForm',
      summary: 'One form; webhook settings with masked secrets, for callers with `WebHooks.View`',
      access: { permission: 'Forms.View' },
      params: formParams,
      answers: { 200: oneForm },
      async handle({ principal, params: { formId } }) {
        const form = await readForm(db, principal, formId);
        return ok(form, { etag: form.revision });
      },
    }),
    saveRoute(deps, {
      method: 'put',
      operationId: 'replaceForm',
      summary: 'Replaces a form; without webHookSettingsJson its override is removed',
      absent:
        '`name` and `isEnabled` are required. Without `webHookSettingsJson` the override is removed; other absent members keep their value.',
      body: replacedFormSchema,
    }),
    saveRoute(deps, {
      method: 'patch',
      operationId: 'changeForm',
      summary: 'Changes the given members; webHookSettingsJson null removes the override',
      absent: 'Absent members do not change.',
      body: changedFormSchema,
    }),
    endpoint.write({
      method: 'delete',
      path: formPath,
      operationId: 'deleteForm',
      audit: { action: 'form.deleted' },
      summary: 'Soft-deletes a form; afterwards it and its submissions are a 404',
      description: 'Emits `form_deleted`. Neither staff nor respondents can read any of it afterwards.',
      access: { permission: 'Forms.Delete' },
      params: formParams,
      answers: { 204: { description: 'The form is deleted.' } },
      async handle({ principal, params: { formId }, ifMatch, traceparent }) {
        await removeForm(deps, { tenantId: principal.tenantId, formId, ifMatch, traceparent });
        return noContent();
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/public/forms/:formId',
      operationId: 'getRuntimeForm',
      summary:
        'The form for its respondents: anonymous if public and enabled; with `Submissions.Create` or a link if not public',
      access: 'optional',
      params: named,
      headers: linkHeader,
      answers: { 200: oneRuntimeForm },
      problems: ['authentication_required', 'permission_denied', 'form_disabled', ...endedLink],
      async handle({ principal, params: { formId }, headers }) {
        const { form } = await readRuntimeForm(db, formId, principal, linkOf(headers));
        return ok(form, { etag: form.revision });
      },
    }),
  ];
}

function createRoute({
  box,
  quotas,
  rules,
  idempotency,
}: Pick<FormDeps, 'box' | 'quotas' | 'rules' | 'idempotency'>): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/forms',
    operationId: 'createForm',
    audit: { action: 'form.created' },
    summary: 'Creates a form',
    description:
      'Emits `form_created`. Absent members get their defaults. Without `webHookSettingsJson` the settings of the tenant apply.',
    access: { permission: 'Forms.Create' },
    body: newFormSchema,
    keepsNumbersOf: 'definition',
    idempotency: {
      store: idempotency,
      before: ({ principal, body }) => checkNewForm(rules, principal, body),
    },
    answers: { 201: createdForm },
    problems: ['quota_exceeded', 'slug_taken'],
    async handle({ principal, body, traceparent, db, wake }) {
      const row = await createForm({ db, wake, box, quotas, rules }, principal.tenantId, body, traceparent);
      const form = answerOf(row, principal);
      return created(`/api/forms/${form.id}`, form, { etag: form.revision });
    },
  });
}

interface SaveRoute {
  method: 'put' | 'patch';
  operationId: string;
  summary: string;
  /** The sentence that says what absent members mean. The body has their values already. */
  absent: string;
  body: Joi.ObjectSchema<FormChanges>;
}

function saveRoute(deps: FormDeps, { absent, ...route }: SaveRoute): Endpoint {
  return endpoint.write({
    ...route,
    path: formPath,
    description: `${absent} Every update counts, even without a difference: the revision grows and \`form_updated\` is emitted, preceded by \`form_enabled_state_changed\` if \`isEnabled\` got another value. Turning \`limitOnePerUser\` on while respondents hold more than one submission is a 409 that says how many. A shorter \`retentionDays\` needs \`Submissions.Erase\`; it starts 24 hours later, and is a 409 \`confirmation_required\` unless \`retentionErases\` is at least the number of submissions that it erases then.`,
    audit: { action: 'form.updated' },
    access: { permission: 'Forms.Edit' },
    params: formParams,
    keepsNumbersOf: 'definition',
    answers: { 200: savedForm },
    problems: ['quota_exceeded', 'slug_taken', 'duplicate_submissions', 'confirmation_required'],
    async handle({ principal, params: { formId }, body, ifMatch, traceparent }) {
      const row = await saveForm(deps, { caller: principal, formId, body, ifMatch, traceparent });
      return ok(answerOf(row, principal), { etag: row.view.revision });
    },
  });
}
