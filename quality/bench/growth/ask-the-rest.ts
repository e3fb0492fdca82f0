import { ask, limit, numbered, type List, type Question } from './question';
import type { World } from './world';

const kindOf: Record<string, string> = { submissions: 'submission_export', webhooks: 'webhook_recovery' };

/** Jobs of all services and of one, and the audit trail. */
export function jobsAndAudit({ ids }: World): Question[] {
  const jobs: List = { name: 'jobs', operation: 'GET /api/jobs', path: '/api/jobs', table: 'jobs' };
  const audit: List = { name: 'audit', operation: 'GET /api/audit', path: '/api/audit', table: 'audit' };
  const ofService = (path: string): List => ({
    name: 'jobs',
    operation: `GET /api/${path}/jobs`,
    path: `/api/${path}/jobs`,
    table: 'jobs',
  });
  const size = { pageSize: limit };
  const [from, to] = [2, 1].map((days) => new Date(Date.now() - days * 86_400_000).toISOString());
  return [
    ask(jobs, 'first page', { limit }),
    ask(jobs, 'middle page', ...ids.jobs.slice(1, -1).map((before) => ({ limit, before }))),
    ask(jobs, 'last page', { limit, before: ids.jobs[0]! }),
    ask(jobs, 'area', { limit, area: 'forms' }),
    ask(jobs, 'kind', { limit, kind: 'submission_export' }),
    ask(jobs, 'state=failed', { limit, state: 'failed' }),
    ask(jobs, 'state=running', { limit, state: 'running' }),
    ...['submissions', 'webhooks'].flatMap((path) => [
      ask(ofService(path), `of ${path}`, { limit }),
      ask(ofService(path), `of ${path}, kind`, { limit, kind: kindOf[path]! }),
      ask(ofService(path), `of ${path}, state=failed`, { limit, state: 'failed' }),
    ]),
    ask(audit, 'first page', { ...size }),
    ask(audit, 'middle page', ...ids.actions.slice(1, -1).map((before) => ({ ...size, before }))),
    ask(audit, 'last page', { ...size, before: ids.actions[0]! }),
    ask(audit, 'area=forms', { ...size, area: 'forms' }),
    ask(audit, 'from and to, a day', { ...size, from: from!, to: to! }),
    ask(audit, 'actor, frequent', { ...size, actor: 'user-7' }),
    ask(audit, 'actor, rare', { ...size, actor: 'user-rare' }),
    ask(audit, 'action, frequent', { ...size, action: 'form.updated' }),
    ask(audit, 'action, rare', { ...size, action: 'form.deleted' }),
    ask(audit, 'action, none', { ...size, action: 'form.created' }),
    ask(audit, 'objectType', { ...size, objectType: 'form' }),
    ask(audit, 'objectId', { ...size, objectId: '100000000007919' }),
  ];
}

/** As the paths of their health name them. */
const services = ['submissions', 'data-lists', 'identity', 'webhooks'];

/** Users, their sessions, views and the history of the health of the services. */
export function accounts({ sizes, userId }: World): Question[] {
  const list = (operation: string, path: string, table: string): List => ({
    name: 'accounts',
    operation: `GET ${operation}`,
    path,
    table,
  });
  const users = list('/api/users', '/api/users', 'users');
  const serviceAccounts = list('/api/service-accounts', '/api/service-accounts', 'service_accounts');
  const views = list('/api/views', '/api/views', 'views');
  const own = list('/api/auth/sessions', '/api/auth/sessions', 'sessions');
  const sessions = list('/api/users/{id}/sessions', `/api/users/${userId}/sessions`, 'sessions');
  const [now, day] = [0, 1].map((days) => new Date(Date.now() - days * 86_400_000).toISOString()) as [
    string,
    string,
  ];
  return [
    ask(users, 'users, first page by key', { limit }),
    ...numbered(users, sizes.users).map((each) => ({ ...each, what: `users, ${each.what}` })),
    ask(users, 'users, search', { limit, search: 'person 77' }),
    ask(serviceAccounts, 'service accounts', { limit }),
    ask(views, 'views of a screen', { limit, screen: 'submissions', scopeId: '1' }),
    ask(own, 'own sessions', { limit }),
    ask(sessions, 'sessions of a user', { limit }),
    ...services.flatMap((service) => {
      const path = `/api/operations/health/${service}/history`;
      const history = list(path, path, 'health_changes');
      return [
        ask(history, `health of ${service}`, { limit }),
        ask(history, `health of ${service}, a day`, { limit, from: day, to: now }),
      ];
    }),
  ];
}

/** Name of what is no list: numbers, and the search over all areas. */
export const statistics = 'numbers';

/** Statistics, and the search over all areas. */
export function numbers({ formId, endpointIds, times, messageIds, submitterIds }: World): Question[] {
  const one = (operation: string, path: string, table: string): List => ({
    name: statistics,
    operation: `GET ${operation}`,
    path,
    table,
  });
  const stats = one('/api/webhooks/stats', '/api/webhooks/stats', 'attempt_stats');
  const range = (days: number) => ({
    from: new Date(Date.now() - days * 86_400_000).toISOString(),
    to: new Date().toISOString(),
  });
  const form = one('/api/forms/{formId}/stats', `/api/forms/${formId}/stats`, 'submissions');
  const overview = one('/api/stats/overview', '/api/stats/overview', 'submissions');
  const search = one('/api/search', '/api/search', 'submitters');
  const erasure = one(
    '/api/submitters/{submitterId}/erasure-preview',
    `/api/submitters/${submitterIds[0]}/erasure-preview`,
    'submissions',
  );
  return [
    ask(stats, 'webhooks by hour', { bucket: '1h', ...range(25) }),
    ask(stats, 'webhooks by day', { bucket: '1d', ...range(25) }),
    ask(stats, 'webhooks of an endpoint by hour', {
      bucket: '1h',
      ...range(25),
      endpointId: endpointIds[0]!,
    }),
    ask(stats, 'webhooks of a form by hour', { bucket: '1h', ...range(25), formId }),
    ask(stats, 'webhooks of an event by hour', { bucket: '1h', ...range(25), eventName: 'form_updated' }),
    ask(one('/api/webhooks/backlog', '/api/webhooks/backlog', 'waiting'), 'backlog', {}),
    ask(one('/api/webhooks/overview', '/api/webhooks/overview', 'attempt_stats'), 'overview of webhooks', {
      bucket: '1h',
    }),
    ask(
      one('/api/webhooks/messages/{messageId}', `/api/webhooks/messages/${messageIds[0]}`, 'messages'),
      'a message with its deliveries',
      {},
    ),
    ask(form, 'a form, 30 days', {}),
    ask(form, 'a form, all', { from: times[0]!, to: new Date().toISOString() }),
    ask(overview, 'all forms, 60 hours', {}),
    ask(overview, 'all forms, 200 days', { bucket: '1d', ...range(200) }),
    ask(erasure, 'what an erasure would change', {}),
    ask(search, 'search in names', { q: 'tanaka 77' }),
    ask(search, 'search by id', { q: submitterIds[0]! }),
  ];
}
