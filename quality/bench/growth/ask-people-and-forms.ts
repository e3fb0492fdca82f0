import { ask, limit, pages, type List, type Question } from './question';
import type { World } from './world';

/** Submitters, and the submissions of one. */
export function ofSubmitters({ ids, sizes, submitterIds }: World): Question[] {
  const list: List = {
    name: 'submitters',
    operation: 'GET /api/submitters',
    path: '/api/submitters',
    table: 'submitters',
  };
  const one: List = {
    name: 'submitters',
    operation: 'GET /api/submitters/{submitterId}/submissions',
    path: `/api/submitters/${submitterIds[0]}/submissions`,
    table: 'submissions',
  };
  return [
    ...pages(list, ids.submitters, sizes.submitters),
    ask(list, 'search, frequent', { limit, search: 'ada' }),
    ask(list, 'search, rare', { limit, search: 'tanaka 77' }),
    ask(list, 'search, none', { limit, search: 'none like it' }),
    ask(list, 'search, one letter', { limit, search: 'q' }),
    ask(list, 'search by number', { page: '1', pageSize: limit, search: 'tanaka 77' }),
    ask(one, 'submissions of one by key', { limit }),
    ask(one, 'submissions of one by number', { page: '1', pageSize: limit }),
  ];
}

/** Forms and the versions of one. */
export function ofForms({ ids, sizes, formId }: World): Question[] {
  const list: List = { name: 'forms', operation: 'GET /api/forms', path: '/api/forms', table: 'forms f' };
  const versions: List = {
    name: 'forms',
    operation: 'GET /api/forms/{formId}/versions',
    path: `/api/forms/${formId}/versions`,
    table: 'form_versions',
  };
  return [
    ...pages(list, ids.forms, sizes.forms),
    ask(list, 'search, frequent', { limit, search: 'survey' }),
    ask(list, 'search, rare', { limit, search: 'tanaka 77' }),
    ask(list, 'search, none', { limit, search: 'nothing' }),
    ask(list, 'with lastSubmissionAt', { limit, fields: 'id,name,lastSubmissionAt,webhookSource' }),
    ask(list, 'with submissionsCount', { limit, fields: 'id,name,submissionsCount' }),
    ask(versions, 'versions of one', { limit }),
    ask(versions, 'versions of one at a time', { limit, at: new Date().toISOString() }),
  ];
}
