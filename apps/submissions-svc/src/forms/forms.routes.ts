import { notFound } from '@canvass/errors';
import type { Database, IdempotencyUnit } from '@canvass/postgres';
import {
  created,
  endpoint,
  idSchema,
  noContent,
  ok,
  pageOf,
  pageQuery,
  searchText,
  type Endpoint,
  type IdempotencyStore,
  type PageQuery,
} from '@canvass/service-kit';
import Joi from 'joi';
import type { WebhookSettingsDeps } from '../webhook-settings';
import { createForm } from './create-form';
import { removeForm } from './delete-form';
import { fullFormSchema, partialFormSchema } from './form-body';
import { answerOf } from './form-record';
import { countForms, getForm, listForms, type FormRow } from './forms.sql';
import { readRuntimeForm } from './runtime-form';
import { saveForm } from './save-form';

const params = Joi.object<{ formId: string }>({ formId: idSchema });
const formPath = '/api/forms/:formId';

/** Management of forms. */
export function formRoutes(
  deps: WebhookSettingsDeps & { db: Database; idempotency: IdempotencyStore<IdempotencyUnit> },
): Endpoint[] {
  const { db } = deps;
  return [
    endpoint.write({
      method: 'post',
      path: '/api/forms',
      operationId: 'createForm',
      summary: 'Creates a form',
      access: { permission: 'Forms.Create' },
      body: fullFormSchema,
      idempotency: { store: deps.idempotency },
      async handle({ principal, body, traceparent, unit }) {
        const form = await createForm({ ...deps, ...unit }, principal!.tenantId, body, traceparent);
        return created(`/api/forms/${form.id}`, form, { etag: form.revision });
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/forms',
      operationId: 'listForms',
      summary: 'Forms, newest first',
      access: { permission: 'Forms.View' },
      query: Joi.object<PageQuery & { search?: string }>({
        ...pageQuery(),
        search: searchText().description('text within the name, in any case'),
      }),
      async handle({ principal, query }) {
        const filter = [principal!.tenantId, query.search || null];
        const [[counted], rows] = await Promise.all([
          db.query<{ total: string }>(countForms, filter),
          db.query<FormRow>(listForms, [...filter, query.pageSize, (query.page - 1) * query.pageSize]),
        ]);
        return ok(pageOf(rows.map(answerOf), Number(counted!.total), query));
      },
    }),
    endpoint.read({
      method: 'get',
      path: formPath,
      operationId: 'getForm',
      summary: 'One form; API keys of its webhook settings are masked',
      access: { permission: 'Forms.View' },
      params,
      async handle({ principal, params: { formId } }) {
        const [row] = await db.query<FormRow>(getForm, [principal!.tenantId, formId]);
        if (!row) throw notFound('form', formId);
        return ok(answerOf(row), { etag: row.view.revision });
      },
    }),
    endpoint.write({
      method: 'put',
      path: formPath,
      operationId: 'replaceForm',
      summary: 'Replaces a form; without webHookSettingsJson its override is removed',
      access: { permission: 'Forms.Edit' },
      params,
      body: fullFormSchema,
      async handle({ principal, params: { formId }, body, ifMatch, traceparent }) {
        const form = await saveForm(deps, {
          tenantId: principal!.tenantId,
          formId,
          body,
          ifMatch,
          traceparent,
        });
        return ok(form, { etag: form.revision });
      },
    }),
    endpoint.write({
      method: 'patch',
      path: formPath,
      operationId: 'changeForm',
      summary: 'Changes the members that are sent; webHookSettingsJson null removes the override',
      access: { permission: 'Forms.Edit' },
      params,
      body: partialFormSchema,
      async handle({ principal, params: { formId }, body, ifMatch, traceparent }) {
        const form = await saveForm(deps, {
          tenantId: principal!.tenantId,
          formId,
          body,
          ifMatch,
          traceparent,
        });
        return ok(form, { etag: form.revision });
      },
    }),
    endpoint.write({
      method: 'delete',
      path: formPath,
      operationId: 'deleteForm',
      summary: 'Deletes a form softly; it and its submissions are a 404 from then on',
      access: { permission: 'Forms.Delete' },
      params,
      async handle({ principal, params: { formId }, ifMatch, traceparent }) {
        await removeForm(deps, { tenantId: principal!.tenantId, formId, ifMatch, traceparent });
        return noContent();
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/public/forms/:formId',
      operationId: 'getRuntimeForm',
      summary:
        'The form for its respondents: anonymous if public and enabled, else with a token of its tenant',
      access: 'optional',
      params,
      async handle({ principal, params: { formId } }) {
        const { form } = await readRuntimeForm(db, formId, principal);
        return ok(form, { etag: form.revision });
      },
    }),
  ];
}
