import { notFound } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import { pageOf, type Page, type PageQuery } from '@canvass/service-kit';
import {
  findEndpoint,
  pageOfEndpoints,
  type EndpointFilter,
  type EndpointPageRow,
  type EndpointView,
} from './endpoints.sql';

export async function readEndpoints(
  db: Database,
  filter: EndpointFilter,
  paging: PageQuery,
): Promise<Page<EndpointView>> {
  const { page, pageSize } = paging;
  const rows = await db.run<EndpointPageRow>(pageOfEndpoints(filter, pageSize, (page - 1) * pageSize));
  const items = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row]));
  return pageOf(items, Number(rows[0]?.total ?? 0), paging);
}

/** @throws {Problem} not_found */
export async function readEndpoint(db: Queryable, tenantId: string, id: string): Promise<EndpointView> {
  const [found] = await db.query(findEndpoint({ tenantId, id }));
  if (!found) throw notFound('webhook endpoint', id);
  return found;
}
