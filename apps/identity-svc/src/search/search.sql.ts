import { contains, statement } from '@canvass/postgres';
import type { SearchRequest, SearchSources } from '@canvass/search';

type Row = { id: string; name: string; formId: null };

const user = statement<SearchRequest, Row>(
  'search_users',
  `select id, email as name, null as "formId" from users
   where tenant_id = $tenantId and (id = $id or ${contains(`(email || ' ' || coalesce(name, ''))`, '$text::text')})
   order by id desc limit $limit`,
);

const serviceAccount = statement<SearchRequest, Row>(
  'search_service_accounts',
  `select id, name, null as "formId" from service_accounts
   where tenant_id = $tenantId and (id = $id or ${contains('name', '$text::text')})
   order by id desc limit $limit`,
);

export const searchSources: SearchSources = { user, serviceAccount };
