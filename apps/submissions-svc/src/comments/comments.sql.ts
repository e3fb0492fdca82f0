import { statement } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';

/** A comment as the API shows it. */
export interface Comment {
  id: string;
  text: string;
  createdBy: Actor;
  createdAt: string;
}

export const maxComments = 500;

const columns = `c.id, c.text, c.created_by as "createdBy", api_time(c.created_at) as "createdAt"`;

interface OfSubmission {
  tenantId: string;
  formId: string;
  submissionId: string;
}

const found = `submissions s join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null
     where s.tenant_id = $tenantId and s.form_id = $formId and s.id = $submissionId and s.deleted_at is null`;

const ofSubmission = 'c.tenant_id = $tenantId and c.submission_id = $submissionId';

/** Locks the submission against its erasure. Returns no row without one. */
export const countComments = statement<OfSubmission, { comments: number }>(
  'comments_count',
  `select (select count(*)::integer from submission_comments c where ${ofSubmission}) as comments
   from ${found} for no key update of s`,
);

/** @param createdBy provider, kind and subject of the caller, as JSON text */
export const insertComment = statement<
  Omit<OfSubmission, 'formId'> & { text: string; createdBy: string },
  Comment
>(
  'comments_insert',
  `insert into submission_comments as c (tenant_id, submission_id, text, created_by)
   values ($tenantId, $submissionId, $text, $createdBy::json)
   returning ${columns}`,
);

/** The comments of a submission, for pages. */
export const commentsOf = statement<Omit<OfSubmission, 'formId'>, Comment>(
  'comments_of_submission',
  `select ${columns} from submission_comments c where ${ofSubmission}`,
);

export const findComment = statement<OfSubmission & { commentId: string }, Comment>(
  'comments_find',
  `select ${columns} from submission_comments c, ${found} and ${ofSubmission} and c.id = $commentId`,
);

export const deleteComment = statement<{ tenantId: string; commentId: string }, { id: string }>(
  'comments_delete',
  'delete from submission_comments where tenant_id = $tenantId and id = $commentId returning id',
);
