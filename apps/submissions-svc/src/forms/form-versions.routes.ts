import { endpoint, idSchema, instantSchema, listParameters, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import type { WebhookSettingsDeps } from '../webhook-settings';
import { oneFormVersion, pageOfFormVersionsAnswer, savedForm } from './form-answers';
import { answerOf } from './form-record';
import { maxVersions } from './form-versions.sql';
import { pageOfFormVersions, readFormVersion } from './form-versions';
import { saveForm } from './save-form';

const formId = idSchema.required().description('id of the form');
const params = Joi.object<{ formId: string }>({ formId });
const versionParams = Joi.object<{ formId: string; revision: string }>({
  formId,
  revision: idSchema.required().description('a revision of the form'),
});
const query = listParameters<{ at?: Date }>({
  at: instantSchema('only versions saved at or before this time; the first of them was in force then'),
});
const path = '/api/forms/:formId/versions';

/** The definitions that a form has had. */
export function formVersionRoutes(deps: WebhookSettingsDeps): Endpoint[] {
  const { db } = deps;
  return [
    endpoint.read({
      method: 'get',
      path,
      operationId: 'listFormVersions',
      summary: 'Definitions of a form with who saved them, newest first; the first is the current one',
      description: `A change without another definition makes no version. At most ${maxVersions} are kept. The answers of a submission belong to the version at its \`modifiedAt\`: \`at\` finds it.`,
      access: { permission: 'Forms.View' },
      params,
      query,
      answers: { 200: pageOfFormVersionsAnswer },
      handle: async ({ principal, params, query }) =>
        ok(await pageOfFormVersions(db, principal.tenantId, params.formId, query)),
    }),
    endpoint.read({
      method: 'get',
      path: `${path}/:revision`,
      operationId: 'getFormVersion',
      summary: 'The definition that a form had at a revision',
      access: { permission: 'Forms.View' },
      params: versionParams,
      answers: { 200: oneFormVersion },
      async handle({ principal, params: { formId, revision } }) {
        const version = await readFormVersion(db, principal.tenantId, formId, revision);
        return ok(version, { etag: version.revision });
      },
    }),
    endpoint.write({
      method: 'post',
      path: `${path}/:revision/restore`,
      operationId: 'restoreFormVersion',
      audit: { action: 'form.restored' },
      summary: 'Makes the definition of an earlier revision the current one',
      description: 'Other members of the form do not change. Emits `form_updated`.',
      access: { permission: 'Forms.Edit' },
      params: versionParams,
      answers: { 200: savedForm },
      async handle({ principal, params: { formId, revision }, ifMatch, traceparent }) {
        const { definition } = await readFormVersion(db, principal.tenantId, formId, revision);
        const change = { caller: principal, formId, body: { definition }, ifMatch, traceparent };
        const row = await saveForm(deps, change);
        return ok(answerOf(row, principal), { etag: row.view.revision });
      },
    }),
  ];
}
