import type { IconName } from '@canvass/console-ui';
import { matchRoute, type Parser } from 'wouter';
import type { Texts } from '../i18n';
import { loadable, type Loadable } from '../loadable';
import { may, type Me } from './me';

/** A page of the console. */
export interface PageEntry {
  path: string;
  /** The operation that the page needs: without its permission the page is not offered. */
  operation: string;
  /** Operations of which one must be permitted, too: the needed one is open to everybody who is signed in. */
  oneOf?: readonly string[];
  /** The page itself. Its code is loaded when it is opened, that of the first one while the user is read. */
  component: Loadable;
}

/** The name of a page of the navigation: that of its text and of its icon. */
type Name = keyof Texts & IconName;

/** A page of the navigation. Those of one thing are reached from its list. */
export interface ListedPage extends PageEntry {
  name: Name;
}

type Read = Parameters<typeof loadable>[0];

const inner = (path: string, operation: string, read: Read): PageEntry => ({
  path,
  operation,
  component: loadable(read),
});

const listed = (path: string, operation: string, name: Name, read: Read): ListedPage => ({
  ...inner(path, operation, read),
  name,
});

/** Lists of which one must be permitted, or there are no jobs to see. */
const oneOf = ['listSubmissionJobs', 'listWebhookJobs'];

/** The pages of the navigation in its order, in groups. The first group has no heading. */
export const pageGroups: readonly { name?: keyof Texts['pageGroups']; pages: readonly ListedPage[] }[] = [
  { pages: [listed('/', 'getMe', 'overview', () => import('./overview'))] },
  {
    name: 'collect',
    pages: [
      listed('/forms', 'listForms', 'forms', () => import('./forms/forms-page')),
      listed('/data-lists', 'listDataLists', 'dataLists', () => import('./data-lists/lists-page')),
      listed('/submitters', 'listSubmitters', 'submitters', () => import('./submitters')),
    ],
  },
  {
    name: 'deliver',
    pages: [
      listed(
        '/deliveries',
        'listWebhookDeliveries',
        'deliveries',
        () => import('./webhooks/deliveries-page'),
      ),
      listed('/endpoints', 'listWebhookEndpoints', 'endpoints', () => import('./webhooks/endpoints-page')),
      listed(
        '/recoveries',
        'listWebhookRecoveries',
        'recoveries',
        () => import('./webhooks/recoveries-page'),
      ),
      { ...listed('/jobs', 'listJobs', 'jobs', () => import('./jobs/jobs-page')), oneOf },
    ],
  },
  {
    name: 'run',
    pages: [
      listed('/health', 'getHealthDetail', 'health', () => import('./health-page')),
      listed('/audit', 'listAudit', 'audit', () => import('./audit')),
      listed('/users', 'listUsers', 'users', () => import('./people/users')),
      listed(
        '/service-accounts',
        'listServiceAccounts',
        'serviceAccounts',
        () => import('./people/accounts'),
      ),
    ],
  },
];

export const listedPages: readonly ListedPage[] = pageGroups.flatMap((group) => group.pages);

/** All pages. */
export const pages: readonly PageEntry[] = [
  ...listedPages,
  inner('/forms/:formId', 'getForm', () => import('./forms/overview-page')),
  inner('/forms/:formId/edit', 'getForm', () => import('./forms/definition-page')),
  inner('/forms/:formId/share', 'getForm', () => import('./forms/share-page')),
  inner('/forms/:formId/submissions', 'listSubmissions', () => import('./submissions/submissions-page')),
  inner(
    '/forms/:formId/submissions/:submissionId',
    'getSubmission',
    () => import('./submissions/submission-page'),
  ),
  inner('/forms/:formId/summary', 'getFormSummary', () => import('./submissions/summary-page')),
  inner('/forms/:formId/settings', 'getForm', () => import('./forms/settings-page')),
  inner('/forms/:formId/settings/versions', 'listFormVersions', () => import('./forms/versions-page')),
  inner('/forms/:formId/settings/webhooks', 'getForm', () => import('./webhooks/settings-page')),
  inner('/deliveries/recover', 'startWebhookRecovery', () => import('./webhooks/recover-page')),
  inner('/deliveries/:deliveryId', 'getWebhookDelivery', () => import('./webhooks/delivery-page')),
  inner('/recoveries/:recoveryId', 'getWebhookRecovery', () => import('./webhooks/recovery-page')),
  inner('/endpoints/:endpointId', 'getWebhookEndpoint', () => import('./webhooks/endpoint-page')),
  inner('/webhook-settings', 'getTenantWebhookSettings', () => import('./webhooks/settings-page')),
  inner('/webhook-alerts', 'getWebhookAlertSettings', () => import('./webhooks/alerts-page')),
  inner('/submitters/:submitterId', 'getSubmitter', () => import('./submitters/person')),
  inner('/data-lists/:listId', 'listDataListItems', () => import('./data-lists/items-page')),
  inner('/data-lists/:listId/edit', 'importDataList', () => import('./data-lists/edit-page')),
  inner('/data-lists/:listId/search', 'listDataListItems', () => import('./data-lists/try-search-page')),
  inner('/data-lists/:listId/versions', 'listDataListVersions', () => import('./data-lists/versions-page')),
  inner('/data-lists/:listId/import', 'stageDataListImport', () => import('./data-lists/import-page')),
  inner(
    '/data-lists/:listId/import/:importId',
    'getDataListImport',
    () => import('./data-lists/staged-import-page'),
  ),
  inner('/data-lists/:listId/settings', 'getDataList', () => import('./data-lists/settings-page')),
  { ...inner('/jobs/:jobId', 'getJob', () => import('./jobs/job-page')), oneOf },
  inner('/users/:id', 'getUser', () => import('./people/user')),
  inner('/service-accounts/:id', 'getServiceAccount', () => import('./people/account')),
  inner('/settings', 'getMe', () => import('./people/own')),
];

/** Former addresses of pages of a form, by what came after its id. */
export const formerFormPages = {
  definition: '/edit',
  numbers: '',
  versions: '/settings/versions',
  'webhook-settings': '/settings/webhooks',
} as const;

/** The operation that a page needs and that the user may not call; undefined if the page is offered. */
export function missingOf(me: Me, { operation, oneOf = [operation] }: PageEntry): string | undefined {
  if (!may(me, operation)) return operation;
  return oneOf.some((own) => may(me, own)) ? undefined : oneOf[0];
}

/** Loads the code of the page of a path, which may be shown soon. */
export function loadPage(path: string, parser: Parser): void {
  const page = pages.find((own) => matchRoute(parser, own.path, path)[0]);
  page?.component.load().catch(() => undefined); // it is loaded again when it is shown
}
