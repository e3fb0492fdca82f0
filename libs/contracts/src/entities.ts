/**
 * The entities in the form of the API and of events. 64-bit integers are decimal strings, dates ISO 8601 UTC.
 */

/** Answers of one respondent. `token` is missing: only the response to the create contains it. */
export interface SubmissionView {
  id: string;
  formId: string;
  isComplete: boolean;
  isTestSubmission: boolean;
  currentPage: number;
  /** JSON text with the bytes that the client sent. */
  jsonData: string;
  /** JSON text with the bytes that the client sent. */
  metadata: string;
  collectionStatus: CollectionStatus;
  status: ReviewStatus;
  submitterId: string | null;
  submitterDisplayId: string | null;
  submitterProfileSnapshot: Record<string, string> | null;
  /** Legacy mirror of `submitterId`; to be dropped in a future release. */
  submittedBy: string | null;
  /** The time when the respondent first saved; null before that. */
  startedAt: string | null;
  completedAt: string | null;
  createdAt: string;
  modifiedAt: string;
  revision: string;
}

/** Progress of the collection of answers, in the order in which it is reached. */
export const collectionStatuses = ['not_started', 'in_progress', 'complete', 'screen_out'] as const;

export type CollectionStatus = (typeof collectionStatuses)[number];
export type ReviewStatus = 'new' | 'read' | 'approved' | 'declined';

/** How the page of a form looks and what it may do. */
export interface HostedPage {
  /** Data URL of an image. */
  logo: string | null;
  /** `#rrggbb` */
  accent: string | null;
  scheme: 'auto' | 'light' | 'dark';
  /** Origins that may embed it. */
  frameAncestors: string[];
  /** https address to go to after the completion. */
  redirectTo: string | null;
  /** Further hosts to which the definition may lead. */
  redirectHosts: string[];
}

export interface FormView {
  id: string;
  name: string;
  description: string | null;
  isEnabled: boolean;
  isPublic: boolean;
  limitOnePerUser: boolean;
  /** The definition for the form runtime. Canvass does not interpret it. */
  definition: Record<string, unknown>;
  submissionTokenExpiryHours: number | null;
  /** Submissions are erased so many days after their creation; null: never. */
  retentionDays: number | null;
  /** ISO 8601; before and after these times the form accepts no submissions. */
  opensAt: string | null;
  closesAt: string | null;
  maxSubmissions: number | null;
  /** Name in the address of its page. */
  slug: string | null;
  page: HostedPage | null;
  /** What happens with completions whose answers its definition does not permit. */
  answerCheck: 'off' | 'report' | 'enforce';
  dataListIds: string[];
  createdAt: string;
  modifiedAt: string;
  revision: string;
}

/** What sorts the items of a list: their shown label, or the file of their import. */
export type ListOrder = 'label' | 'file';

/** A data list without its items. */
export interface DataListView {
  id: string;
  name: string;
  description: string | null;
  isActive: boolean;
  defaultLocale: string;
  availableLocales: string[];
  order: ListOrder;
  itemsCount: number;
  createdAt: string;
  modifiedAt: string;
  revision: string;
}

export interface DataListItem {
  value: string;
  /** Always contains `default`; other keys are lowercase culture codes. */
  labels: Record<string, string>;
}
