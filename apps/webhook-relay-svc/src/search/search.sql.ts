import { contains, statement } from '@canvass/postgres';
import type { SearchRequest, SearchSources } from '@canvass/search';

type Row = { id: string; name: string | null; formId: string | null };

const webhookEndpoint = statement<SearchRequest, Row>(
  'search_endpoints',
  `select e.id, e.url as name, case when e.scope = 'form' then e.scope_id end as "formId" from endpoints e
   where e.tenant_id = $tenantId and (e.id = $id or ${contains('e.url', '$text::text')})
   order by e.removed_at is not null, e.id desc limit $limit`,
);

const delivery = statement<SearchRequest, Row>(
  'search_deliveries',
  `select d.id, null as name, d.form_id as "formId"
   from (select tenant_id, id, form_id from waiting union select tenant_id, id, form_id from deliveries) d
   where d.tenant_id = $tenantId and d.id = $id limit $limit`,
);

const message = statement<SearchRequest, Row>(
  'search_messages',
  `select m.id, null as name, null as "formId" from messages m
   where m.tenant_id = $tenantId and m.id = $id limit $limit`,
);

export const searchSources: SearchSources = { webhookEndpoint, delivery, message };
