import type { SubmissionView } from '@canvass/contracts';
import { notFound, validationProblem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { pageOf, type Page } from '@canvass/service-kit';
import type { SubmissionFilter } from './filter.sql';
import type { ListQuery } from './filter-query';
import { countSubmissions, selectSubmissions } from './list.sql';
import { getFormName } from './read.sql';

/** The name of a form of the tenant. @throws {Problem} `not_found` */
export async function formNameOf(db: Database, tenantId: string, formId: string): Promise<string> {
  const [form] = await db.query(getFormName({ tenantId, formId }));
  if (!form) throw notFound('form', formId);
  return form.name;
}

/** A page is held in memory. Ten submissions fit, even with the largest answers that can be configured. */
const mostPageBytes = 80 * 1024 * 1024;

/** @throws {Problem} `not_found` for the form, `validation_failed` for a page with too large answers */
export async function pageOfSubmissions(
  db: Database,
  filter: SubmissionFilter,
  query: ListQuery,
): Promise<Page<SubmissionView>> {
  await formNameOf(db, filter.tenantId, filter.formId);
  const window = {
    limit: query.pageSize,
    offset: (query.page - 1) * query.pageSize,
    mostBytes: mostPageBytes,
  };
  const total = await countSubmissions(db, filter);
  const items = await selectSubmissions(db, filter, query, window);
  if (items === null)
    throw validationProblem({
      pageSize: [`must be smaller: the answers on this page have more than ${mostPageBytes} bytes`],
    });
  return pageOf(items, total, query);
}
