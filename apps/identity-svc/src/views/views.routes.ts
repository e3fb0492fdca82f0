import type { Database, IdempotencyUnit } from '@canvass/postgres';
import {
  created,
  endpoint,
  idSchema,
  listParameters,
  noContent,
  ok,
  type Endpoint,
  type IdempotencyStore,
} from '@canvass/service-kit';
import Joi from 'joi';
import { changeView, createView, listViewsOf, readView, removeView } from './change-view';
import { readPreferences, replacePreferences } from './preferences';
import { createdView, oneView, ownPreferences, pageOfViews } from './view-answers';
import { clientSettings, newViewSchema, screenSchema, viewChangeSchema, type ClientSettings } from './view';

/** All who work with forms. Respondents do not, and are too many to keep something for each. */
const access = { permission: 'Forms.View' } as const;
const params = Joi.object<{ id: string }>({ id: idSchema.required().description('id of the view') });
const one = '/api/views/:id';
const preferencesPath = '/api/auth/me/preferences';
const preferencesBody = Joi.object<{ settings: ClientSettings; revision?: string }>({
  settings: clientSettings.required(),
  revision: Joi.any().strip().description('ignored, so that a response can be sent back'),
})
  .example({ settings: { language: 'de', density: 'compact' } })
  .id('PreferencesBody');

/** Saved views of lists and the preferences of a person, for consoles. */
export function viewRoutes(db: Database, store: IdempotencyStore<IdempotencyUnit>): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/views',
      operationId: 'listViews',
      summary: 'The views of the caller and those of the tenant, newest first',
      access,
      query: listParameters<{ screen?: string; scopeId?: string }>({
        screen: screenSchema,
        scopeId: idSchema.description('only views of the rows of this form or list'),
      }),
      answers: { 200: pageOfViews },
      handle: async ({ principal, query }) => ok(await listViewsOf(db, principal, query)),
    }),
    endpoint.write({
      method: 'post',
      path: '/api/views',
      operationId: 'createView',
      audit: { action: 'view.created' }, // if the tenant sees it
      summary: 'Saves a view of a list',
      description:
        'A person has at most 100 views, and a tenant 500 that everybody sees (409). A view for everybody needs `Forms.Edit`.',
      access,
      body: newViewSchema,
      idempotency: { store },
      answers: { 201: createdView },
      problems: ['conflict'],
      async handle({ principal, body, db: unit }) {
        const view = await createView(unit, principal, body);
        return created(`/api/views/${view.id}`, view, { etag: view.revision });
      },
    }),
    endpoint.read({
      method: 'get',
      path: one,
      operationId: 'getView',
      summary: 'One view; that of another person is a 404',
      access,
      params,
      answers: { 200: oneView },
      async handle({ principal, params: { id } }) {
        const view = await readView(db, principal, id);
        return ok(view, { etag: view.revision });
      },
    }),
    endpoint.write({
      method: 'patch',
      path: one,
      operationId: 'changeView',
      audit: { action: 'view.updated' }, // if the tenant sees it
      summary: 'Changes the given members of a view',
      description:
        'A view of the tenant needs `Forms.Edit`. If it becomes visible to one person only, that is the caller.',
      access,
      params,
      body: viewChangeSchema,
      answers: { 200: oneView },
      problems: ['conflict'],
      async handle({ principal, params: { id }, body, ifMatch }) {
        const view = await changeView(db, principal, id, body, ifMatch);
        return ok(view, { etag: view.revision });
      },
    }),
    endpoint.write({
      method: 'delete',
      path: one,
      operationId: 'deleteView',
      audit: { action: 'view.deleted' }, // if the tenant sees it
      summary: 'Deletes a view; one of the tenant needs `Forms.Edit`',
      access,
      params,
      answers: { 204: { description: 'The view is deleted.' } },
      async handle({ principal, params: { id }, ifMatch }) {
        await removeView(db, principal, id, ifMatch);
        return noContent();
      },
    }),
    endpoint.read({
      method: 'get',
      path: preferencesPath,
      operationId: 'getOwnPreferences',
      summary: 'The preferences of the caller in a console',
      access,
      answers: { 200: ownPreferences },
      async handle({ principal }) {
        const preferences = await readPreferences(db, principal);
        return ok(preferences, { etag: preferences.revision });
      },
    }),
    endpoint.write({
      method: 'put',
      path: preferencesPath,
      operationId: 'saveOwnPreferences',
      audit: { notRecorded: 'It says how people look at data, and changes no data.' },
      summary: 'Replaces the preferences of the caller',
      access,
      body: preferencesBody,
      answers: { 200: ownPreferences },
      async handle({ principal, body: { settings }, ifMatch }) {
        const preferences = await replacePreferences(db, principal, settings, ifMatch);
        return ok(preferences, { etag: preferences.revision });
      },
    }),
  ];
}
