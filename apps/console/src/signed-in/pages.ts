import type { ComponentType } from 'react';
import { matchRoute, type Parser } from 'wouter';
import type { Texts } from '../i18n';
import { loadable, type Loadable } from '../loadable';
import {
  DataListsPage,
  EditPage,
  ImportPage,
  ItemsPage,
  ListSettingsPage,
  StagedImportPage,
  TrySearchPage,
  VersionsPage,
} from './data-lists';
import {
  FormDefinitionPage,
  FormNumbersPage,
  FormSettingsPage,
  FormSharePage,
  FormsPage,
  FormVersionsPage,
} from './forms';
import { may, type Me } from './me';
import OverviewPage from './overview';

// Loaded when they are opened, so that the first page is small.
const SubmittersPage = loadable(() => import('./submitters'));
const PersonPage = loadable(() => import('./submitters/person'));
const UsersPage = loadable(() => import('./people/users'));
const UserPage = loadable(() => import('./people/user'));
const AccountsPage = loadable(() => import('./people/accounts'));
const AccountPage = loadable(() => import('./people/account'));
const OwnPage = loadable(() => import('./people/own'));
const AuditPage = loadable(() => import('./audit'));

/** A page of the navigation. */
export interface PageEntry {
  path: string;
  title(texts: Texts): string;
  /** The operation that the page needs: without its permission the page is not offered. */
  operation: string;
  /** Operations of which one must be permitted, too: the needed one is open to everybody who is signed in. */
  oneOf?: readonly string[];
  /** Returns whether it is in the navigation. Pages of one thing are reached from its list. */
  isListed: boolean;
  /** All but the first page are loaded when they are opened, so that it is small. */
  component: ComponentType | Loadable;
}

const dataListPage = (end: string, operation: string, component: Loadable): PageEntry => ({
  path: `/data-lists/:listId${end}`,
  title: (texts) => texts.dataLists,
  operation,
  isListed: false,
  component,
});

/** The pages of one data list. */
const dataListPages = [
  dataListPage('', 'listDataListItems', ItemsPage),
  dataListPage('/edit', 'importDataList', EditPage),
  dataListPage('/search', 'listDataListItems', TrySearchPage),
  dataListPage('/versions', 'listDataListVersions', VersionsPage),
  dataListPage('/import', 'stageDataListImport', ImportPage),
  dataListPage('/import/:importId', 'getDataListImport', StagedImportPage),
  dataListPage('/settings', 'getDataList', ListSettingsPage),
];

const formPage = (end: string, operation: string, component: Loadable): PageEntry => ({
  path: `/forms/:formId${end}`,
  title: (texts) => texts.form,
  operation,
  isListed: false,
  component,
});

/** The pages of one form. */
const formPages = [
  formPage('/definition', 'getForm', FormDefinitionPage),
  formPage('/share', 'getForm', FormSharePage),
  formPage('/versions', 'listFormVersions', FormVersionsPage),
  formPage('/numbers', 'getSubmissionStats', FormNumbersPage),
  formPage('/settings', 'getForm', FormSettingsPage),
];

/** Lists of which one must be permitted, or there are no jobs to see. */
const jobLists = ['listSubmissionJobs', 'listWebhookJobs'];

/** The pages in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  {
    path: '/',
    title: (texts) => texts.overview,
    operation: 'getMe',
    isListed: true,
    component: OverviewPage,
  },
  {
    path: '/forms',
    title: (texts) => texts.forms,
    operation: 'listForms',
    isListed: true,
    component: FormsPage,
  },
  ...formPages,
  {
    path: '/forms/:formId/submissions',
    title: (texts) => texts.submissions,
    operation: 'listSubmissions',
    isListed: false,
    component: loadable(() => import('./submissions/submissions-page')),
  },
  {
    path: '/forms/:formId/summary',
    title: (texts) => texts.form,
    operation: 'getFormSummary',
    isListed: false,
    component: loadable(() => import('./submissions/summary-page')),
  },
  {
    path: '/forms/:formId/submissions/:submissionId',
    title: (texts) => texts.submission,
    operation: 'getSubmission',
    isListed: false,
    component: loadable(() => import('./submissions/submission-page')),
  },
  {
    path: '/deliveries',
    title: (texts) => texts.deliveries,
    operation: 'listWebhookDeliveries',
    isListed: true,
    component: loadable(() => import('./webhooks/deliveries-page')),
  },
  {
    path: '/deliveries/recover',
    title: (texts) => texts.deliveries,
    operation: 'startWebhookRecovery',
    isListed: false,
    component: loadable(() => import('./webhooks/recover-page')),
  },
  {
    path: '/deliveries/:deliveryId',
    title: (texts) => texts.delivery,
    operation: 'getWebhookDelivery',
    isListed: false,
    component: loadable(() => import('./webhooks/delivery-page')),
  },
  {
    path: '/recoveries',
    title: (texts) => texts.recoveries,
    operation: 'listWebhookRecoveries',
    isListed: true,
    component: loadable(() => import('./webhooks/recoveries-page')),
  },
  {
    path: '/recoveries/:recoveryId',
    title: (texts) => texts.recoveries,
    operation: 'getWebhookRecovery',
    isListed: false,
    component: loadable(() => import('./webhooks/recovery-page')),
  },
  {
    path: '/endpoints',
    title: (texts) => texts.endpoints,
    operation: 'listWebhookEndpoints',
    isListed: true,
    component: loadable(() => import('./webhooks/endpoints-page')),
  },
  {
    path: '/endpoints/:endpointId',
    title: (texts) => texts.endpoints,
    operation: 'getWebhookEndpoint',
    isListed: false,
    component: loadable(() => import('./webhooks/endpoint-page')),
  },
  {
    path: '/webhook-settings',
    title: (texts) => texts.webhookSettings,
    operation: 'getTenantWebhookSettings',
    isListed: false,
    component: loadable(() => import('./webhooks/settings-page')),
  },
  {
    path: '/webhook-alerts',
    title: (texts) => texts.webhookAlerts,
    operation: 'getWebhookAlertSettings',
    isListed: false,
    component: loadable(() => import('./webhooks/alerts-page')),
  },
  {
    path: '/forms/:formId/webhook-settings',
    title: (texts) => texts.webhookSettings,
    operation: 'getForm',
    isListed: false,
    component: loadable(() => import('./webhooks/settings-page')),
  },
  {
    path: '/submitters',
    title: (texts) => texts.submitters,
    operation: 'listSubmitters',
    isListed: true,
    component: SubmittersPage,
  },
  {
    path: '/submitters/:submitterId',
    title: (texts) => texts.submitter,
    operation: 'getSubmitter',
    isListed: false,
    component: PersonPage,
  },
  {
    path: '/data-lists',
    title: (texts) => texts.dataLists,
    operation: 'listDataLists',
    isListed: true,
    component: DataListsPage,
  },
  ...dataListPages,
  {
    path: '/jobs',
    title: (texts) => texts.jobs,
    operation: 'listJobs',
    oneOf: jobLists,
    isListed: true,
    component: loadable(() => import('./jobs/jobs-page')),
  },
  {
    path: '/jobs/:jobId',
    title: (texts) => texts.jobs,
    operation: 'getJob',
    oneOf: jobLists,
    isListed: false,
    component: loadable(() => import('./jobs/job-page')),
  },
  {
    path: '/health',
    title: (texts) => texts.health,
    operation: 'getHealthDetail',
    isListed: true,
    component: loadable(() => import('./health-page')),
  },
  {
    path: '/users',
    title: (texts) => texts.users,
    operation: 'listUsers',
    isListed: true,
    component: UsersPage,
  },
  {
    path: '/users/:id',
    title: (texts) => texts.users,
    operation: 'getUser',
    isListed: false,
    component: UserPage,
  },
  {
    path: '/service-accounts',
    title: (texts) => texts.serviceAccounts,
    operation: 'listServiceAccounts',
    isListed: true,
    component: AccountsPage,
  },
  {
    path: '/service-accounts/:id',
    title: (texts) => texts.serviceAccounts,
    operation: 'getServiceAccount',
    isListed: false,
    component: AccountPage,
  },
  {
    path: '/audit',
    title: (texts) => texts.audit,
    operation: 'listAudit',
    isListed: true,
    component: AuditPage,
  },
  {
    path: '/settings',
    title: (texts) => texts.settings,
    operation: 'getMe',
    isListed: false,
    component: OwnPage,
  },
];

/** The operation that a page needs and that the user may not call; undefined if the page is offered. */
export function missingOf(me: Me, { operation, oneOf = [operation] }: PageEntry): string | undefined {
  if (!may(me, operation)) return operation;
  return oneOf.some((own) => may(me, own)) ? undefined : oneOf[0];
}

/** Loads the code of the page of a path, which may be shown soon. */
export function loadPage(path: string, parser: Parser): void {
  const page = pages.find((own) => matchRoute(parser, own.path, path)[0]);
  if (page === undefined || !('load' in page.component)) return;
  page.component.load().catch(() => undefined); // it is loaded again when it is shown
}
