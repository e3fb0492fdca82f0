import type { SubmissionView } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { pageOf, type Page } from '@canvass/service-kit';
import type { SubmissionFilter } from './filter.sql';
import type { ListQuery } from './filter-query';
import { countSubmissions, selectSubmissions } from './list.sql';
import { getFormName } from './read.sql';

/** The name of a form of the tenant. @throws {Problem} `not_found` */
export async function formNameOf(db: Database, tenantId: string, formId: string): Promise<string> {
  const [form] = await db.query<{ name: string }>(getFormName, [tenantId, formId]);
  if (!form) throw notFound('form', formId);
  return form.name;
}

/** @throws {Problem} `not_found` for the form */
export async function pageOfSubmissions(
  db: Database,
  filter: SubmissionFilter,
  query: ListQuery,
): Promise<Page<SubmissionView>> {
  await formNameOf(db, filter.tenantId, filter.formId);
  const window = { limit: query.pageSize, offset: (query.page - 1) * query.pageSize };
  const [total, items] = await Promise.all([
    countSubmissions(db, filter),
    selectSubmissions(db, filter, query, window),
  ]);
  return pageOf(items, total, query);
}
