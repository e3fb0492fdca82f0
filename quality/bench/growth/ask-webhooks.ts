import { ask, limit, pages, type List, type Parameters, type Question } from './question';
import type { World } from './world';

/** The delivery log: pages and filters. */
export function deliveries(world: World): Question[] {
  const { ids, sizes, formId, endpointIds, messageIds, entityIds } = world;
  const list: List = {
    name: 'deliveries',
    operation: 'GET /api/webhooks/deliveries',
    path: '/api/webhooks/deliveries',
    table: 'deliveries',
  };
  const by = (what: string, ...parameters: Parameters[]) =>
    ask(list, what, ...parameters.map((each) => ({ limit, ...each })));
  const [from, to] = [2, 1].map((days) => new Date(Date.now() - days * 86_400_000).toISOString());
  const endpoint = (more: Parameters) =>
    endpointIds.slice(0, 5).map((endpointId) => ({ endpointId, ...more }));
  return [
    ...pages(list, ids.deliveries, sizes.deliveries),
    by('endpointId', ...endpoint({})),
    by('formId', { formId }),
    by('entityId', ...entityIds.map((entityId) => ({ entityId }))),
    by('messageId', ...messageIds.map((messageId) => ({ messageId }))),
    by('eventName', { eventName: 'form_updated' }),
    by('eventName, none', { eventName: 'form_created' }),
    ...['pending', 'delivered', 'failed', 'dead', 'cancelled'].map((status) =>
      by(`status=${status}`, { status }),
    ),
    by('status=failed,dead', { status: ['failed', 'dead'] }),
    by('status=dead of an endpoint', ...endpoint({ status: 'dead' })),
    by('outcome=http_5xx', { outcome: 'http_5xx' }),
    by('outcome=tls_error, none', { outcome: 'tls_error' }),
    by('statusCode=500-599', { statusCode: '500-599' }),
    by('statusCode=404, none', { statusCode: '404' }),
    by('isTest=true', { isTest: 'true' }),
    by('isTest=false', { isTest: 'false' }),
    by('minAttempts=5', { minAttempts: '5' }),
    by('minAttempts=100, none', { minAttempts: '100' }),
    by('from and to, a day', { from: from!, to: to! }),
    by('text within a day', { from: from!, to: to!, text: 'A-7' }),
    by('text within a day, none', { from: from!, to: to!, text: 'nothing like it' }),
    by('text of an entity', { entityId: entityIds[0]!, text: 'A-7' }),
    by('dead by number', { status: 'dead', page: '1', pageSize: limit, limit: [] }),
  ];
}

/** Endpoints and recoveries. */
export function webhooks({ endpointIds, formId }: World): Question[] {
  const endpoints: List = {
    name: 'endpoints',
    operation: 'GET /api/webhooks/endpoints',
    path: '/api/webhooks/endpoints',
    table: 'endpoints',
  };
  const recoveries: List = {
    name: 'endpoints',
    operation: 'GET /api/webhooks/recoveries',
    path: '/api/webhooks/recoveries',
    table: 'jobs',
  };
  return [
    ...pages(endpoints, endpointIds, endpointIds.length),
    ask(endpoints, 'formId', { limit, formId }),
    ask(endpoints, 'state=enabled', { limit, state: 'enabled' }),
    ask(recoveries, 'recoveries', { limit }),
    ask(recoveries, 'recoveries, status=done', { limit, status: 'done' }),
  ];
}
