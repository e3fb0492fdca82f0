import { contains, foldedContains, statement } from '@canvass/postgres';
import type { SearchRequest, SearchSources } from '@canvass/search';

type Row = { id: string; name: string | null; formId: string | null };

const form = statement<SearchRequest, Row>(
  'search_forms',
  `select f.id, f.name, f.id as "formId" from forms f
   where f.tenant_id = $tenantId and f.deleted_at is null and (f.id = $id or ${contains('f.name', '$text::text')})
     and ($formIds::bigint[] is null or f.id = any($formIds))
   order by f.id desc limit $limit`,
);

const submission = statement<SearchRequest, Row>(
  'search_submissions',
  `select s.id, s.submitter_display_id as name, s.form_id as "formId" from submissions s
   where s.tenant_id = $tenantId and s.id = $id and s.deleted_at is null
     and ($formIds::bigint[] is null or s.form_id = any($formIds))
   limit $limit`,
);

/** Submitters belong to no form, so a caller that is restricted to forms finds none. */
const submitter = statement<SearchRequest, Row>(
  'search_submitters',
  `select s.id, s.display_id as name, null as "formId" from submitters s
   where s.tenant_id = $tenantId and (s.id = $id or ${foldedContains('s.folded', '$text::text')})
     and $formIds::bigint[] is null
   order by s.id desc limit $limit`,
);

export const searchSources: SearchSources = { form, submission, submitter };
