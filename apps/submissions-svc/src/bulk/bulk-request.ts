import type { ReviewStatus } from '@canvass/contracts';
import { idSchema, visibleText } from '@canvass/service-kit';
import Joi from 'joi';
import { filterBody, type FilterMembers } from '../submissions';

/** `restore` takes a deletion back. */
export const bulkActions = ['status', 'delete', 'restore'] as const;
export type BulkAction = (typeof bulkActions)[number];

export interface BulkBody {
  action: BulkAction;
  /** The status, with the action `status`. */
  status?: ReviewStatus;
  filter?: FilterMembers;
  submissionIds?: string[];
  reason?: string;
}

/** The request that the steps of a job need. */
export interface BulkRequest {
  formId: string;
  action: BulkAction;
  status: ReviewStatus | null;
  /** The filter as in the body; empty if submissions are named. */
  filter: FilterMembers;
  /** Null: all that the filter matches. */
  submissionIds: string[] | null;
  /** The trace of the request, for the events of the changes. */
  traceparent: string;
  /** The facts that the audit trail records of each change, see `auditFacts`. */
  audit: string;
}

const maxIds = 1_000;

const aStatus = { status: { type: 'string' } };

export const bulkBody = Joi.object<BulkBody>({
  action: Joi.string()
    .valid(...bulkActions)
    .required()
    .description(
      '`status` sets the review status; `delete` deletes, `restore` takes deletions back: both need `Submissions.Delete`, too',
    ),
  status: Joi.string()
    .valid('new', 'read', 'approved', 'declined')
    .when('action', { is: 'status', then: Joi.required(), otherwise: Joi.forbidden() })
    .description('the review status, with the action `status` only'),
  filter: Joi.object<FilterMembers>(filterBody)
    .id('SubmissionFilter')
    .description('as for the list; all must hold; `{}` takes all submissions of the form'),
  submissionIds: Joi.array()
    .items(idSchema)
    .min(1)
    .max(maxIds)
    .unique()
    .description('only these submissions'),
  reason: visibleText(500).description('why; the list of jobs shows it'),
})
  .xor('filter', 'submissionIds')
  .meta({
    refuses: [
      { properties: { action: { enum: ['status'] } }, not: { required: ['status'], properties: aStatus } },
      { required: ['status'], properties: { action: { enum: ['delete', 'restore'] }, ...aStatus } },
    ],
  })
  .id('SubmissionBulkChange')
  .example({
    action: 'status',
    status: 'approved',
    filter: { filter: ['isComplete:true', 'status:new'], to: '2026-11-20T00:00:00Z' },
    reason: 'Reviewed by the board.',
  });

export const dryRunQuery = Joi.object<{ dryRun: boolean }>({
  dryRun: Joi.boolean()
    .default(false)
    .description('true: returns what would be changed, and changes nothing'),
});
