import { exactObject } from '@canvass/contracts';
import type { Transactor } from '@canvass/postgres';
import { endpoint, idSchema, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { findIn, type SearchRequest, type SearchSources } from './find';
import { foundKinds, foundMembers, type Found, type FoundKind } from './found';

/** Results of each kind at most. */
export const maxFound = 10;

/** Forms of a service account at most, see `formIds`. */
const maxForms = 1_000;

const several = <T>(item: Joi.Schema, max: number) => Joi.array<T[]>().items(item).single().max(max);

const query = Joi.object<
  Omit<SearchRequest, 'limit' | 'formIds'> & { formIds?: string[]; kinds: FoundKind[] }
>({
  tenantId: idSchema.required().description('id of the tenant'),
  text: Joi.string().max(200).required().description('text within names'),
  id: idSchema.allow(null).default(null).description('the text as an id'),
  kinds: several<FoundKind>(Joi.string().valid(...foundKinds), foundKinds.length)
    .required()
    .description('kinds to search'),
  formIds: several<string>(idSchema, maxForms).description('only what belongs to these forms'),
});

interface FoundList {
  items: Found[];
}

const example: FoundList = {
  items: [{ kind: 'form', id: '186512345677000576', name: 'Feedback', formId: '186512345677000576' }],
};

/** Endpoints for identity-svc, on the internal port only: what this service has with an id or a name. */
export function searchInternalRoutes(db: Transactor, sources: SearchSources): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/internal/search',
      operationId: 'searchService',
      summary: 'What this service has of a tenant with an id or a name',
      access: 'internal',
      query,
      answers: {
        200: {
          description: 'What was found.',
          body: exactObject<FoundList>('FoundList', {
            items: Joi.array().items(exactObject<Found>('FoundItem', foundMembers).optional()),
          }),
          example,
        },
      },
      problems: ['query_too_broad'],
      async handle({ query: { kinds, formIds = null, ...asked } }) {
        const items = await findIn(db, sources, kinds, { ...asked, formIds, limit: maxFound });
        return ok({ items } satisfies FoundList, { headers: { 'Cache-Control': 'no-store' } });
      },
    }),
  ];
}
