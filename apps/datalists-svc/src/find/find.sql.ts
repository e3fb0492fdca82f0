import { contains, statement } from '@canvass/postgres';
import type { SearchRequest, SearchSources } from '@canvass/search';

/** Lists belong to no form, so a caller that is restricted to forms finds none. */
const dataList = statement<SearchRequest, { id: string; name: string; formId: null }>(
  'search_data_lists',
  `select l.id, l.name, null as "formId" from data_lists l
   where l.tenant_id = $tenantId and (l.id = $id or ${contains('l.name', '$text::text')})
     and $formIds::bigint[] is null
   order by l.id desc limit $limit`,
);

export const searchSources: SearchSources = { dataList };
