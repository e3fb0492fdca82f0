import type { ServiceName } from '../config';

const KiB = 1024;
const MiB = 1024 * KiB;

/** The way the gateway deals with requests under one pattern. */
export interface Route {
  /**
   * Path pattern: literal segments, `:name` for one segment, a closing `**` for any number of further
   * segments.
   */
  pattern: string;
  service: ServiceName;
  /** The callers that it permits. Selects the rate limits. The services check each caller themselves. */
  access: 'anonymous' | 'optional token' | 'token' | 'form-access token' | 'credentials';
  /**
   * The longest time in which the service may send nothing: before its response, or between two chunks of it.
   */
  timeoutMs: number;
  /** Most bytes of a request body. The service holds JSON and the like in memory, and row streams not. */
  bodyLimit: { json: number; rows: number };
  /** Returns whether respondents send answers here. Anonymous ones have limits of their own. */
  takesAnswers?: boolean;
  /** The response is a stream of events without an end. It has a connection apart from those of requests. */
  isEventStream?: boolean;
}

const same = (bytes: number): Route['bodyLimit'] => ({ json: bytes, rows: bytes });
const ordinary = { timeoutMs: 30_000, bodyLimit: same(4 * MiB) };
/**
 * Above every limit of submissions-svc, which follows from `Service:Submissions`: the service enforces its
 * own.
 */
const answers = { timeoutMs: 30_000, bodyLimit: same(32 * MiB) };
const small = { timeoutMs: 30_000, bodyLimit: same(64 * KiB) };
/** Imports of data lists. Rows are streamed. */
export const maxImportBytes: Route['bodyLimit'] = { json: 64 * MiB, rows: 1024 * MiB };
/** Work on a whole list or a whole form. The response may be a stream of any length. */
const bulk = { timeoutMs: 15 * 60_000, bodyLimit: same(1 * MiB) };

/**
 * Every path that clients can reach; the first match wins. `/internal`, `/metrics` and the health endpoints
 * of the services have no entry and must never get one.
 */
export const routeTable: readonly Route[] = [
  // Data lists
  {
    pattern: '/api/data-lists/:id/import',
    service: 'DataLists',
    access: 'token',
    timeoutMs: bulk.timeoutMs,
    bodyLimit: maxImportBytes,
  },
  {
    pattern: '/api/data-lists/:id/imports',
    service: 'DataLists',
    access: 'token',
    timeoutMs: bulk.timeoutMs,
    bodyLimit: maxImportBytes,
  },
  {
    pattern: '/api/data-lists/:id/import-preview',
    service: 'DataLists',
    access: 'token',
    timeoutMs: bulk.timeoutMs,
    bodyLimit: maxImportBytes,
  },
  { pattern: '/api/data-lists/:id/imports/:importId/apply', service: 'DataLists', access: 'token', ...bulk },
  { pattern: '/api/data-lists/:id/export', service: 'DataLists', access: 'token', ...bulk },
  // Both rewrite every item of the list.
  { pattern: '/api/data-lists/:id/locales/:locale', service: 'DataLists', access: 'token', ...bulk },
  { pattern: '/api/data-lists/:id/default-locale', service: 'DataLists', access: 'token', ...bulk },
  { pattern: '/api/data-lists/**', service: 'DataLists', access: 'token', ...ordinary },
  {
    pattern: '/api/public/forms/:formId/data-lists/**',
    service: 'DataLists',
    access: 'form-access token',
    ...small,
  },

  // Forms, submissions, submitters
  { pattern: '/api/public/forms/**', service: 'Submissions', access: 'optional token', ...small },
  { pattern: '/api/forms/:formId/invitations', service: 'Submissions', access: 'token', ...answers },
  { pattern: '/api/forms/:formId/submissions/export', service: 'Submissions', access: 'token', ...bulk },
  { pattern: '/api/forms/:formId/submissions/bulk', service: 'Submissions', access: 'token', ...ordinary },
  { pattern: '/api/forms/:formId/submissions/exports', service: 'Submissions', access: 'token', ...ordinary },
  {
    pattern: '/api/forms/:formId/submissions/**',
    service: 'Submissions',
    access: 'optional token',
    takesAnswers: true,
    ...answers,
  },
  { pattern: '/api/forms/**', service: 'Submissions', access: 'token', ...ordinary },
  { pattern: '/forms/:formId/submissions/onbehalf', service: 'Submissions', access: 'token', ...answers },
  { pattern: '/api/invitations/:id/file', service: 'Submissions', access: 'token', ...bulk },
  { pattern: '/api/exports/:id/file', service: 'Submissions', access: 'token', ...bulk },
  { pattern: '/api/exports/**', service: 'Submissions', access: 'token', ...ordinary },
  { pattern: '/api/submissions/jobs/**', service: 'Submissions', access: 'token', ...small },
  { pattern: '/api/submitters/:id/export', service: 'Submissions', access: 'token', ...bulk },
  { pattern: '/api/submitters/**', service: 'Submissions', access: 'token', ...ordinary },
  { pattern: '/api/stats/overview', service: 'Submissions', access: 'token', ...small },
  { pattern: '/api/operations/health/submissions/**', service: 'Submissions', access: 'token', ...small },
  { pattern: '/api/operations/health/data-lists/**', service: 'DataLists', access: 'token', ...small },
  { pattern: '/api/operations/health/identity/**', service: 'Identity', access: 'token', ...small },
  { pattern: '/api/operations/health/webhooks/**', service: 'WebHookRelay', access: 'token', ...small },
  { pattern: '/api/tenant/webhook-settings', service: 'Submissions', access: 'token', ...ordinary },
  { pattern: '/api/tenant/quotas/forms', service: 'Submissions', access: 'token', ...small },
  { pattern: '/api/tenant/quotas/data-lists', service: 'DataLists', access: 'token', ...small },
  { pattern: '/api/tenant/quotas/accounts', service: 'Identity', access: 'token', ...small },
  { pattern: '/.well-known/form-access-jwks.json', service: 'Submissions', access: 'anonymous', ...small },

  { pattern: '/api/webhooks/settings/check', service: 'Submissions', access: 'token', ...ordinary },

  // Webhook deliveries and their management
  { pattern: '/api/webhooks/**', service: 'WebHookRelay', access: 'token', ...small },
  {
    pattern: '/api/events/stream',
    service: 'WebHookRelay',
    access: 'token',
    isEventStream: true,
    ...small,
  },

  // Users, service accounts, tokens
  { pattern: '/api/auth/**', service: 'Identity', access: 'credentials', ...small },
  { pattern: '/api/roles', service: 'Identity', access: 'token', ...small },
  { pattern: '/api/users/**', service: 'Identity', access: 'token', ...small },
  { pattern: '/api/password-links', service: 'Identity', access: 'token', ...small },
  { pattern: '/api/views/**', service: 'Identity', access: 'token', ...small },
  { pattern: '/api/service-accounts/**', service: 'Identity', access: 'token', ...small },
  { pattern: '/api/jobs/**', service: 'Identity', access: 'token', ...small },
  { pattern: '/api/search', service: 'Identity', access: 'token', ...small },
  { pattern: '/api/audit', service: 'Identity', access: 'token', ...small },
  { pattern: '/.well-known/jwks.json', service: 'Identity', access: 'anonymous', ...small },
];

/** Routes where a POST takes `Idempotency-Key`. With a key it may be resent when the connection breaks. */
export const keyedCreates: readonly Pick<Route, 'pattern'>[] = [
  { pattern: '/api/data-lists' },
  { pattern: '/api/forms' },
  { pattern: '/api/forms/:formId/submissions' },
  { pattern: '/api/forms/:formId/submissions/onbehalf' },
  { pattern: '/forms/:formId/submissions/onbehalf' },
  { pattern: '/api/users' },
  { pattern: '/api/service-accounts' },
  { pattern: '/api/views' },
  { pattern: '/api/service-accounts/:id/rotate-secret' },
  { pattern: '/api/webhooks/endpoints/:id/recover' },
  { pattern: '/api/webhooks/endpoints/:id/rotate-secret' },
  { pattern: '/api/webhooks/endpoints/:id/test' },
  { pattern: '/api/webhooks/recoveries' },
  { pattern: '/api/forms/:formId/submissions/bulk' },
  { pattern: '/api/forms/:formId/submissions/exports' },
];
