import { dataLists } from './ask-data-lists';
import { ofForms, ofSubmitters } from './ask-people-and-forms';
import { submissions } from './ask-submissions';
import { accounts, jobsAndAudit, numbers } from './ask-the-rest';
import { deliveries, webhooks } from './ask-webhooks';
import type { Question } from './question';
import type { World } from './world';

export { statistics } from './ask-the-rest';

/** Every list of the API: its pages, orders and filters. */
export const questionsOf = (world: World): Question[] => [
  ...submissions(world),
  ...ofSubmitters(world),
  ...ofForms(world),
  ...deliveries(world),
  ...webhooks(world),
  ...dataLists(world),
  ...jobsAndAudit(world),
  ...accounts(world),
  ...numbers(world),
];

/** The part of the OpenAPI document that lists are known by. */
export interface ApiDocument {
  paths: Record<string, { get?: { parameters?: { in?: string; name?: string; $ref?: string }[] } }>;
  components?: { parameters?: Record<string, { in?: string; name?: string }> };
}

/**
 * Parameters of lists that no question uses, as `GET /api/forms search`: what a new list or filter needs here. A
 * list is an operation with `limit` or `pageSize`.
 */
export function notAsked(document: ApiDocument, questions: readonly Question[]): string[] {
  const asked = new Set(
    questions.flatMap(({ operation, paths }) =>
      paths.flatMap((path) => {
        const names = [...new URLSearchParams(path.split('?')[1]).keys()];
        return names.map((name) => `${operation} ${name}`);
      }),
    ),
  );
  const filters = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const parameters = (get?.parameters ?? []).map((each) =>
      each.$ref === undefined
        ? each
        : (document.components?.parameters?.[each.$ref.split('/').at(-1)!] ?? each),
    );
    const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name!);
    // The scenario "search" measures the public search.
    const isList =
      !path.startsWith('/api/public/') && (names.includes('limit') || names.includes('pageSize'));
    return isList ? names.filter((name) => !common.has(name)).map((name) => `GET ${path} ${name}`) : [];
  });
  return filters.filter((each) => !asked.has(each));
}

/** Members of every list; questions about the large ones use them. */
const common = new Set(['page', 'pageSize', 'after', 'before', 'total', 'fields', 'sortDir']);
