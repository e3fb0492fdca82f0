import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import {
  endpoint,
  idSchema,
  ok,
  pageOf,
  pageQuery,
  searchText,
  type Endpoint,
  type PageQuery,
} from '@canvass/service-kit';
import Joi from 'joi';
import { countSubmitters, getSubmitter, listSubmitters, type SubmitterView } from './submitters.sql';

const listQuery = Joi.object<PageQuery & { search?: string }>({
  ...pageQuery(),
  search: searchText().description('text within the display id, in any case'),
});

/** Respondents of the tenant. Two queries and no rules, so that there are no verb files. */
export function submitterRoutes({ db }: { db: Database }): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/submitters',
      operationId: 'listSubmitters',
      summary: 'Respondents, newest first',
      access: { permission: 'Submissions.View' },
      query: listQuery,
      async handle({ principal, query }) {
        const filter = [principal!.tenantId, query.search || null];
        const [[counted], rows] = await Promise.all([
          db.query<{ total: string }>(countSubmitters, filter),
          db.query<{ view: SubmitterView }>(listSubmitters, [
            ...filter,
            query.pageSize,
            (query.page - 1) * query.pageSize,
          ]),
        ]);
        return ok(
          pageOf(
            rows.map(({ view }) => view),
            Number(counted!.total),
            query,
          ),
        );
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/submitters/:submitterId',
      operationId: 'getSubmitter',
      summary: 'One respondent',
      access: { permission: 'Submissions.View' },
      params: Joi.object<{ submitterId: string }>({ submitterId: idSchema }),
      async handle({ principal, params }) {
        const [row] = await db.query<{ view: SubmitterView }>(getSubmitter, [
          principal!.tenantId,
          params.submitterId,
        ]);
        if (!row) throw notFound('submitter', params.submitterId);
        return ok(row.view);
      },
    }),
  ];
}
