import type { DataListItem, DataListView, FormView, SubmissionView } from './entities';

/** Example entities for the API documents; they refer to each other. */

export const submissionExample: SubmissionView = {
  id: '186512345678000128',
  formId: '186512345677000192',
  isComplete: true,
  isTestSubmission: false,
  currentPage: 2,
  jsonData: '{"country":"IS"}',
  metadata: '{}',
  collectionStatus: 'complete',
  status: 'new',
  submitterId: '186512345676000256',
  submitterDisplayId: 'ada@example.org',
  submitterProfileSnapshot: { department: 'Research' },
  submittedBy: '186512345676000256',
  startedAt: '2026-11-20T09:30:00.000Z',
  completedAt: '2026-11-20T09:34:12.345Z',
  createdAt: '2026-11-20T09:30:00.000Z',
  modifiedAt: '2026-11-20T09:34:12.345Z',
  revision: '2',
};

export const formExample: FormView = {
  id: '186512345677000192',
  name: 'Registration',
  description: null,
  isEnabled: true,
  isPublic: true,
  limitOnePerUser: false,
  definition: { pages: [] },
  submissionTokenExpiryHours: null,
  retentionDays: null,
  opensAt: null,
  closesAt: '2026-12-31T23:00:00.000Z',
  maxSubmissions: 500,
  slug: 'registration',
  page: null,
  answerCheck: 'report',
  dataListIds: ['186512345675000384'],
  createdAt: '2026-11-19T15:00:00.000Z',
  modifiedAt: '2026-11-19T15:00:00.000Z',
  revision: '1',
};

export const dataListExample: DataListView = {
  id: '186512345675000384',
  name: 'Countries',
  description: 'ISO 3166-1',
  isActive: true,
  defaultLocale: 'en',
  availableLocales: ['en', 'fr', 'nl'],
  order: 'label',
  itemsCount: 249,
  createdAt: '2026-11-18T08:00:00.000Z',
  modifiedAt: '2026-11-18T08:05:30.500Z',
  revision: '2',
};

export const dataListItemExample: DataListItem = {
  value: 'IS',
  labels: { default: 'Iceland', fr: 'Islande', nl: 'IJsland' },
};
