import type { Permission } from '@canvass/auth';

/**
 * The areas whose services have jobs, with the origin of their ids (see `next_id()`), by which the
 * service of a job is known.
 */
export const jobAreas = { forms: { origin: 2 }, webhooks: { origin: 4 } } as const;
export type JobArea = keyof typeof jobAreas;

/** The permissions to see and cancel the jobs of a kind. */
interface KindRules {
  area: JobArea;
  view: Permission;
  cancel: Permission;
}

/** The kinds of jobs of all services. */
export const jobKinds = {
  submission_bulk_change: { area: 'forms', view: 'Submissions.View', cancel: 'Submissions.Review' },
  submission_export: { area: 'forms', view: 'Submissions.View', cancel: 'Submissions.Export' },
  submission_invitation: {
    area: 'forms',
    view: 'Submissions.View',
    cancel: 'Submissions.CreateOnBehalf',
  },
  submitter_erasure: { area: 'forms', view: 'Submissions.View', cancel: 'Submissions.Erase' },
  webhook_recovery: { area: 'webhooks', view: 'WebHooks.View', cancel: 'WebHooks.Manage' },
} as const satisfies Record<string, KindRules>;
export type JobKind = keyof typeof jobKinds;

/** Exports of submissions. Erasures end jobs of this kind. */
export const exportKind = 'submission_export' satisfies JobKind;

/** The kinds of an area. */
export const kindsOf = (area: JobArea): JobKind[] =>
  (Object.keys(jobKinds) as JobKind[]).filter((kind) => jobKinds[kind].area === area);
