import { recordAudit } from '@canvass/audit';
import { notFound, Problem } from '@canvass/errors';
import { newestFirst, readKeyPage, type Database, type Queryable } from '@canvass/postgres';
import type { Actor, KeyPage, KeyQuery } from '@canvass/service-kit';
import { hashOfLink, newLinkToken } from './link-token';
import {
  findLink,
  findSubmission,
  insertLink,
  linksOf,
  maxLinks,
  revoke,
  useLink,
  type Link,
  type LinkRight,
  type OpenedLink,
} from './links.sql';

/** The members of a request for a link. */
export interface LinkBody {
  right: LinkRight;
  /** By default 30 days from now. */
  expiresAt?: Date;
  note?: string;
}

/** The place of a link. */
export interface LinkPlace {
  tenantId: string;
  formId: string;
  submissionId: string;
}

/** A new link with its token, which a repeated response lacks. */
export type NewLinkView = Link & { token: string | null };

/** The problems of a link that has ended. */
export const endedLink = ['link_revoked', 'link_expired', 'link_ended'] as const;

const defaultMs = 30 * 86_400_000;

/** When a link ends whose request does not say it. */
export const defaultExpiry = (): Date => new Date(Date.now() + defaultMs);

/**
 * Makes a link, with an entry in the audit trail that names its submission.
 *
 * @throws {Problem} `not_found`; `conflict` if the submission has 100 links
 */
export async function createLink(
  tx: Queryable,
  place: LinkPlace,
  { right, expiresAt, note = '' }: LinkBody,
  { createdBy, jobId = null }: { createdBy: Actor; jobId?: string | null },
): Promise<Link & { token: string }> {
  const { token, tokenHash } = newLinkToken();
  const [link] = await tx.query(
    insertLink({
      ...place,
      tokenHash,
      right,
      note: note === '' ? null : note,
      expiresAt: expiresAt ?? defaultExpiry(),
      createdBy: JSON.stringify(createdBy),
      jobId,
    }),
  );
  if (!link) {
    const [known] = await tx.query(findSubmission(place));
    if (!known) throw notFound('submission', place.submissionId);
    throw new Problem('conflict', { detail: `A submission has at most ${maxLinks} links.` });
  }
  // Of an invitation, the trail has the start of the job.
  if (jobId !== null) return { ...link, token };
  const { tenantId, formId, submissionId } = place;
  const after = { formId, linkId: link.id, right, expiresAt: link.expiresAt };
  const object = ['submission', submissionId] as const;
  await recordAudit(tx, { tenantId, object, action: 'submission_link.created', actor: createdBy, after });
  return { ...link, token };
}

/** The links of a submission that is known to exist, newest first. */
export const pageOfLinks = (
  db: Database,
  { tenantId, submissionId }: LinkPlace,
  window: KeyQuery,
): Promise<KeyPage<Link>> =>
  readKeyPage(db, linksOf({ tenantId, submissionId }), newestFirst, window, (link) => link);

/** Ends a link at once. One that was revoked before is not changed. @throws {Problem} `not_found` */
export const revokeLink = (db: Database, place: LinkPlace, linkId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const { tenantId, formId, submissionId } = place;
    const [revoked] = await tx.query(revoke({ ...place, linkId }));
    if (!revoked) {
      const [known] = await tx.query(findLink({ ...place, linkId }));
      if (!known) throw notFound('link', linkId);
      return;
    }
    await recordAudit(tx, { tenantId, object: ['submission', submissionId], after: { formId, linkId } });
  });

/**
 * The submission of a link, and what its holder may do. Keeps the time of the use.
 *
 * @param tenantId of the caller; null for an anonymous one
 * @throws {Problem} `not_found` for an unknown token, `link_revoked`, `link_expired`, `link_ended`
 */
export async function openLink(
  db: Queryable,
  { formId, tenantId, token }: { formId: string; tenantId: string | null; token: string },
): Promise<OpenedLink> {
  const [link] = await db.query(useLink({ formId, tenantId, tokenHash: hashOfLink(token) }));
  if (!link) throw notFound('submission');
  if (link.hasEnded) throw new Problem('link_ended');
  if (link.isRevoked) throw new Problem('link_revoked');
  if (link.isExpired) throw new Problem('link_expired');
  return link;
}
