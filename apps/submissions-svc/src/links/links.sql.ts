import type { SubmissionView } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';

/** What the holder of a link may do: read, change also after completion, or continue until it. */
export const linkRights = ['view', 'edit', 'continue'] as const;
export type LinkRight = (typeof linkRights)[number];

/** A link as the API shows it. */
export interface Link {
  id: string;
  right: LinkRight;
  /** Words of its maker. */
  note: string | null;
  createdBy: Actor | null;
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** Links of a submission. Ended ones are forgotten with the next link after 30 days. */
export const maxLinks = 100;

const columns = `l.id, l.permits as "right", l.note, l.created_by as "createdBy", api_time(l.created_at) as "createdAt",
     api_time(l.expires_at) as "expiresAt", api_time(l.last_used_at) as "lastUsedAt", api_time(l.revoked_at) as "revokedAt"`;

interface OfSubmission {
  tenantId: string;
  formId: string;
  submissionId: string;
}

const found = `submissions s join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null
     where s.tenant_id = $tenantId and s.form_id = $formId and s.id = $submissionId and s.deleted_at is null`;

const ofSubmission = 'l.tenant_id = $tenantId and l.submission_id = $submissionId';

const isForgotten = `least(l.expires_at, l.revoked_at) < now() - interval '30 days'`;

export const findSubmission = statement<OfSubmission, { id: string }>(
  'links_find_submission',
  `select s.id from ${found}`,
);

export interface NewLink extends OfSubmission {
  tokenHash: Buffer;
  right: LinkRight;
  note: string | null;
  expiresAt: Date;
  /** Provider, kind and subject of the caller, as JSON text. */
  createdBy: string;
  /** The job that invites the person. */
  jobId: string | null;
}

/** Returns no row if there is no such submission, or if it has `maxLinks` links. */
export const insertLink = statement<NewLink, Link>(
  'links_insert',
  `with forgotten as (
     delete from submission_links l where ${ofSubmission} and ${isForgotten})
   insert into submission_links as l (tenant_id, submission_id, token_hash, permits, note, expires_at, created_by, job_id)
   select s.tenant_id, s.id, $tokenHash::bytea, $right, $note, $expiresAt::timestamptz, $createdBy::json, $jobId::bigint
   from ${found}
     and (select count(*) from submission_links l where ${ofSubmission} and not ${isForgotten}) < ${maxLinks}
   for key share of s
   returning ${columns}`,
);

/** The links of a submission, for pages. */
export const linksOf = statement<Omit<OfSubmission, 'formId'>, Link>(
  'links_of_submission',
  `select ${columns} from submission_links l where ${ofSubmission}`,
);

/** Returns no row if there is no such link, or if it was revoked before. */
export const revoke = statement<OfSubmission & { linkId: string }, { id: string }>(
  'links_revoke',
  `update submission_links l set revoked_at = now() from ${found}
     and ${ofSubmission} and l.id = $linkId and l.revoked_at is null returning l.id`,
);

export const findLink = statement<OfSubmission & { linkId: string }, { id: string }>(
  'links_find',
  `select l.id from submission_links l, ${found} and ${ofSubmission} and l.id = $linkId`,
);

/** The link of a token, with its submission. */
export interface OpenedLink {
  tenantId: string;
  submissionId: string;
  right: LinkRight;
  isRevoked: boolean;
  isExpired: boolean;
  /** The submission or its form was deleted. */
  hasEnded: boolean;
  view: SubmissionView;
}

/** Finds a link and keeps the time of its use. The tenant is that of the form. */
export const useLink = statement<{ formId: string; tenantId: string | null; tokenHash: Buffer }, OpenedLink>(
  'links_use',
  `with link as (
     select l.tenant_id, l.id, l.submission_id, l.permits, l.revoked_at is not null as is_revoked,
       l.expires_at <= now() as is_expired, s.deleted_at is not null or f.deleted_at is not null as has_ended,
       submission_json(s) as view
     from submission_links l
     join submissions s on s.tenant_id = l.tenant_id and s.id = l.submission_id
     join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id
     where l.tenant_id = (select named.tenant_id from forms named where named.id = $formId
         and ($tenantId::bigint is null or named.tenant_id = $tenantId::bigint))
       and l.token_hash = $tokenHash::bytea and s.form_id = $formId
   ),
   used as (
     update submission_links u set last_used_at = now() from link l
     where u.tenant_id = (select tenant_id from link) and u.id = l.id and not (l.is_revoked or l.is_expired or l.has_ended)
   )
   select tenant_id as "tenantId", submission_id as "submissionId", permits as "right",
     is_revoked as "isRevoked", is_expired as "isExpired", has_ended as "hasEnded", view from link`,
);
