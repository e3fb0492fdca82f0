import { ask, cursor, limit, pages, type List, type Parameters, type Question } from './question';
import type { World } from './world';

/** Submissions of the main form: pages, orders and filters. */
export function submissions({ formId, ids, times, sizes, submissionId, submitterIds }: World): Question[] {
  const list: List = {
    name: 'submissions',
    operation: 'GET /api/forms/{formId}/submissions',
    path: `/api/forms/${formId}/submissions`,
    table: 'submissions s',
  };
  const by = (what: string, ...parameters: Parameters[]) =>
    ask(list, what, ...parameters.map((each) => ({ limit, ...each })));
  /** The name has no ids and times, because they differ between sizes. */
  const filter = (...values: string[]) =>
    by(
      `filter ${values[0]!.replace(/\d{10,}/, '…').replace(/\d{4}-\d{2}-\d{2}T.*/, 'time')}`,
      ...values.map((each) => ({ filter: each })),
    );
  const middle = times[Math.floor(times.length / 2)]!;
  const day = (time: string) => new Date(Date.parse(time) + 86_400_000).toISOString();
  const orders = [
    'createdAt',
    'completedAt',
    'modifiedAt',
    'startedAt',
    'status',
    'collectionStatus',
    'isComplete',
    'isTestSubmission',
    'currentPage',
    'formId',
    'revision',
    'submitterId',
    'submitterDisplayId',
    'submittedBy',
  ];
  return [
    ...pages(list, ids.submissions, sizes.submissions * 0.8),
    by('some members', { fields: 'id,createdAt,answers.rating' }),
    by('sortDir=asc', { sortDir: 'asc' }),
    ...orders.map((sortBy) => by(`sortBy=${sortBy}`, { sortBy })),
    by(
      'sortBy=createdAt, middle page',
      ...times.map((time) => ({
        sortBy: 'createdAt',
        after: cursor('createdAt desc', ids.submissions[1]!, time),
      })),
    ),
    by(
      'sortBy=completedAt, middle page',
      ...times.map((time) => ({
        sortBy: 'completedAt',
        after: cursor('completedAt desc', ids.submissions[1]!, time),
      })),
    ),
    by('from and to, a day', ...times.map((from) => ({ from, to: day(from) }))),
    by('from, the newer half', { from: middle }),
    by('to, the older half', { to: middle }),
    by('from and to by number', { from: middle, to: day(middle), page: '1', pageSize: limit, limit: [] }),
    filter(`id:${submissionId}`),
    filter(`formId:${formId}`),
    filter('isComplete:true', 'isComplete:false'),
    filter('isTestSubmission:true'),
    filter('currentPage:7'),
    filter('jsonData:{}'),
    filter('metadata:{}'),
    filter('collectionStatus:complete'),
    filter('collectionStatus:screen_out'),
    filter('collectionStatus:not_started'),
    filter('status:new'),
    filter('status:approved'),
    filter('status!:new'),
    ...(submitterIds.length === 0 ? [] : [filter(...submitterIds.map((id) => `submitterId:${id}`))]),
    filter('submitterId:null'),
    filter('submitterDisplayId:unknown'),
    filter('submittedBy:unknown'),
    filter(`startedAt>:${middle}`),
    filter(`completedAt>:${middle}`),
    filter(`completedAt<:${times[0]!}`),
    filter(`createdAt>:${middle}`),
    filter(`modifiedAt>:${middle}`),
    filter('revision:3'),
    filter('revision>1000'),
    filter('submitterProfile.department:Department 7'),
    filter('submitterProfile.department:Board'),
    filter('submitterProfile.department:Nowhere'),
    filter('submitterProfile.department!:Board'),
    filter('answers.channel:web'),
    filter('answers.order:A-7'),
    filter('answers.score>:999'),
    by('search, frequent', { search: 'ada' }),
    by('search, none', { search: 'none like it' }),
    by('deleted=true', { deleted: 'true' }),
    by('status and a day', ...times.map((from) => ({ filter: 'status:approved', from, to: day(from) }))),
    by('answers and a day', ...times.map((from) => ({ filter: 'answers.channel:web', from, to: day(from) }))),
    ask(
      {
        name: 'submissions',
        operation: 'GET /api/forms/{formId}/submissions/{submissionId}/versions',
        path: `${list.path}/${submissionId}/versions`,
        table: 'submission_versions',
      },
      'versions of one, first page by key',
      { limit },
    ),
  ];
}
