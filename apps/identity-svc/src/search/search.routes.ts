import { exactObject } from '@canvass/contracts';
import { foundMembers, maxFound, type Found } from '@canvass/search';
import {
  endpoint,
  idSchema,
  ok,
  visibleText,
  type DescribedAnswer,
  type Endpoint,
} from '@canvass/service-kit';
import Joi from 'joi';
import { searchAreas, type AskAreas, type SearchResult } from './ask-areas';

const example: SearchResult = {
  items: [
    { kind: 'form', id: '186512345677000576', name: 'Feedback', formId: '186512345677000576' },
    { kind: 'submitter', id: '186512345677000590', name: 'ada', formId: null },
  ],
  unavailable: [],
};

const searchResult: DescribedAnswer = {
  description: 'What was found.',
  body: exactObject<SearchResult>('SearchResult', {
    items: Joi.array()
      .items(
        exactObject<Found>('SearchHit', foundMembers)
          .description('Something with the id or name.')
          .optional(),
      )
      .description(`at most ${maxFound} of each kind, newest first`),
    unavailable: Joi.array()
      .items(
        Joi.string()
          .valid(...searchAreas)
          .optional(),
      )
      .description('parts of the system that did not answer, so that something may be missing'),
  })
    .description('What the caller may see with the searched id or name.')
    .example(example),
  example,
};

const minTextLength = 3;

export const searchRoutes = (askAreas: AskAreas): Endpoint[] => [
  endpoint.read({
    method: 'get',
    path: '/api/search',
    operationId: 'search',
    summary: 'Finds what has an id or a name, in all areas that the caller may see',
    description:
      'An id finds forms, submissions, submitters, data lists, webhook endpoints, deliveries, messages, users and service accounts. A text finds those whose name contains it; case, accents and variants of letters do not count. An area that does not answer is named in `unavailable`, and the others answer all the same.',
    access: 'authenticated',
    isForRestricted: true,
    query: Joi.object<{ q: string }>({
      q: visibleText(200)
        .min(minTextLength)
        .required()
        .description(`an id, or at least ${minTextLength} characters of a name`),
    }),
    answers: { 200: searchResult },
    async handle({ principal, query: { q } }) {
      const { error, value } = idSchema.validate(q);
      return ok(await askAreas(principal, { text: q, id: error ? null : value }));
    },
  }),
];
