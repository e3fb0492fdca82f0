import { recordAudit } from '@canvass/audit';
import { notFound, Problem } from '@canvass/errors';
import { newestFirst, readKeyPage, type Database } from '@canvass/postgres';
import type { Actor, KeyPage, KeyQuery } from '@canvass/service-kit';
import {
  commentsOf,
  countComments,
  deleteComment,
  findComment,
  insertComment,
  maxComments,
  type Comment,
} from './comments.sql';

/** The submission of comments. */
export interface CommentPlace {
  tenantId: string;
  formId: string;
  submissionId: string;
}

/**
 * Adds a comment. The audit trail has its id and not its text, which an erasure must reach.
 *
 * @throws {Problem} `not_found`; `conflict` if the submission has 500 comments
 */
export const addComment = (
  db: Database,
  place: CommentPlace,
  { text, createdBy }: Pick<Comment, 'text' | 'createdBy'>,
): Promise<Comment> =>
  db.transaction(async (tx) => {
    const { tenantId, formId, submissionId } = place;
    const [counted] = await tx.query(countComments(place));
    if (!counted) throw notFound('submission', submissionId);
    if (counted.comments >= maxComments)
      throw new Problem('conflict', { detail: `A submission has at most ${maxComments} comments.` });
    const [comment] = await tx.query(
      insertComment({ tenantId, submissionId, text, createdBy: JSON.stringify(createdBy) }),
    );
    const after = { formId, commentId: comment!.id };
    await recordAudit(tx, { tenantId, object: ['submission', submissionId], after });
    return comment!;
  });

/** The comments of a submission that is known to exist, newest first. */
export const pageOfComments = (
  db: Database,
  { tenantId, submissionId }: CommentPlace,
  window: KeyQuery,
): Promise<KeyPage<Comment>> =>
  readKeyPage(db, commentsOf({ tenantId, submissionId }), newestFirst, window, (comment) => comment);

/**
 * Removes a comment of the caller, or of another user if the caller may.
 *
 * @throws {Problem} `not_found`; `permission_denied` for a comment of another user
 */
export const removeComment = (
  db: Database,
  place: CommentPlace,
  { commentId, caller, mayRemoveAll }: { commentId: string; caller: Actor; mayRemoveAll: boolean },
): Promise<void> =>
  db.transaction(async (tx) => {
    const { tenantId, formId, submissionId } = place;
    const [comment] = await tx.query(findComment({ ...place, commentId }));
    if (!comment) throw notFound('comment', commentId);
    if (!mayRemoveAll && !isSame(comment.createdBy, caller))
      throw new Problem('permission_denied', { detail: 'The comment is that of another person.' });
    const [removed] = await tx.query(deleteComment({ tenantId, commentId }));
    if (!removed) throw notFound('comment', commentId);
    await recordAudit(tx, { tenantId, object: ['submission', submissionId], after: { formId, commentId } });
  });

const isSame = (a: Actor, b: Actor): boolean =>
  a.provider === b.provider && a.kind === b.kind && a.subject === b.subject;
