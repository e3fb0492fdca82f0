import { maxActions, recordAudit, type AuditFilter } from '@canvass/audit';
import type { Queryable } from '@canvass/postgres';
import {
  endpoint,
  endSchema,
  instantSchema,
  listParameters,
  ok,
  streamed,
  streamText,
  visibleText,
  type Endpoint,
} from '@canvass/service-kit';
import Joi from 'joi';
import { areas, readAreas, type Area, type ReadArea } from './areas';
import { pageOfAudit } from './audit-answers';

type AuditQuery = Omit<AuditFilter, 'tenantId'> & { area: Area[] };

const text = (what: string) => visibleText(200).description(what);
const auditQuery = listParameters<AuditQuery>({
  area: Joi.array()
    .items(Joi.string().valid(...areas))
    .single()
    .unique()
    .min(1)
    .default([...areas])
    .description('only these areas; may be repeated'),
  from: instantSchema('done at or after this time'),
  to: endSchema('done before this time'),
  actor: text('only actions of this subject: id of a user or service account, or external subject'),
  action: text('only this action, such as `form.updated`'),
  objectType: text('only objects of this type, such as `form`'),
  objectId: text('only the object with this id'),
});

const ndjson = 'application/x-ndjson';

/** The audit trail of the caller's tenant, of all services. */
export function auditRoutes(db: Queryable, read: ReadArea): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/audit',
      operationId: 'listAudit',
      audit: { action: 'audit.exported' },
      summary: 'Who did what: recorded actions of staff, integrations and operators, newest first',
      description:
        'With `Accept: application/x-ndjson` all matching actions are streamed, and the export itself is recorded. Answers of respondents are never part of the trail. An area that cannot be read is a 503 that names it; `area` asks for the others.',
      access: { permission: 'Audit.View' },
      query: auditQuery,
      answers: { 200: pageOfAudit },
      problems: ['query_too_broad'],
      async handle({
        principal: { tenantId },
        headers,
        query: { area, after, before, limit, total, ...rest },
      }) {
        const filter = { tenantId, ...rest };
        if (headers.accept?.includes(ndjson) === true) {
          await recordAudit(db, { tenantId, object: ['audit', null], after: { area, ...rest } });
          return streamed(`${ndjson}; charset=utf-8`, streamText(lines(read, area, filter)));
        }
        return ok(await readAreas(read, area, filter, { after, before, limit, total }));
      },
    }),
  ];
}

/** All matching actions as lines of JSON, read in pages. */
async function* lines(read: ReadArea, area: readonly Area[], filter: AuditFilter): AsyncGenerator<string> {
  const window = { limit: maxActions - 1, total: 'none' } as const;
  for (let after: string | undefined; ;) {
    const { items, next } = await readAreas(read, area, filter, { ...window, after });
    yield items.map((item) => `${JSON.stringify(item)}\n`).join('');
    if (next === null) return;
    after = next;
  }
}
