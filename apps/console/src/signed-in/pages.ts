import type { ComponentType } from 'react';
import type { Texts } from '../i18n';
import { FormsPage } from './forms-page';
import { HealthPage } from './health-page';
import { OverviewPage } from './overview-page';
import { SubmissionPage } from './submission-page';
import { SubmissionsPage } from './submissions-page';

/** A page of the navigation. */
export interface PageEntry {
  path: string;
  title(texts: Texts): string;
  /** The operation that the page needs: without its permission the page is not offered. */
  operation: string;
  /** Whether it is in the navigation. Pages of one thing are reached from its list. */
  isListed: boolean;
  component: ComponentType;
}

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
  {
    path: '/forms/:formId/submissions',
    title: (texts) => texts.submissions,
    operation: 'listSubmissions',
    isListed: false,
    component: SubmissionsPage,
  },
  {
    path: '/forms/:formId/submissions/:submissionId',
    title: (texts) => texts.submission,
    operation: 'getSubmission',
    isListed: false,
    component: SubmissionPage,
  },
  {
    path: '/health',
    title: (texts) => texts.health,
    operation: 'getHealthDetail',
    isListed: true,
    component: HealthPage,
  },
];
