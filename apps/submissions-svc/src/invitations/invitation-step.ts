import type { SecretBox } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import type { JobStep } from '@canvass/jobs';
import type { Tx } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';
import { insertPart } from '../exports';
import { createLink } from '../links';
import type { SubmissionUse } from '../quotas';
import { answerBytes, createSubmission, csvCell } from '../submissions';
import type { Submitters } from '../submitters';
import { takePeople } from './invitations.sql';
import type { InvitedPerson } from './people-file';

/** The request that the steps of a job need. */
export interface InvitationRequest {
  formId: string;
  formName: string;
  /** When the links end. */
  expiresAt: string;
  note: string;
  /** The address of the form's page, to which `#link=` and the token are appended. */
  pageUrl: string;
  invitedBy: Actor;
  /** Whether the caller may give links to submissions that the people began themselves. */
  mayLinkExisting: boolean;
  traceparent: string;
}

interface Place {
  /** Written parts of the file. */
  parts: number;
}

/** The result of a job that is done. */
export interface InvitationResult {
  parts: number;
  expiresAt: string;
}

export interface InvitationStepDeps {
  submitters: Submitters;
  use: SubmissionUse;
  box: SecretBox;
  keptHours: number;
}

const peopleAtOnce = 100;
const hourMs = 3_600_000;
const plainCsv = { raw: false, separator: ',', idsAsText: false } as const;
const header = ['authProvider', 'externalSubjectId', 'displayId', 'submissionId', 'link', 'error'];

/** The name of a part of the file, to which its sealed text is bound. */
export const partContext = (tenantId: string, jobId: string, part: number): string =>
  `invitations:${tenantId}:${jobId}:${part}`;

/**
 * A step of a job: begins a submission for each of the next people, with a link, and writes the links as a
 * part of the file. The part is sealed, because the database keeps no other token. A person who has a
 * submission of a gated form gets a link to that one, if the caller may make such links. Counts `invited` and
 * `refused`.
 */
export const invitationStep =
  (deps: InvitationStepDeps): JobStep<InvitationRequest, Place> =>
  async (tx, { tenantId, id: jobId, request, done, counts, ...job }) => {
    const startedAt = performance.now();
    const { parts = 0 } = job.place;
    const taken = await tx.query(takePeople({ tenantId, jobId, limit: peopleAtOnce }));
    taken.sort((a, b) => a.position - b.position);
    let { invited = 0, refused = 0 } = counts;
    const lines = parts === 0 ? [header] : [];
    for (const { person } of taken) {
      const row = await invite(tx, deps, { tenantId, jobId, request }, JSON.parse(person) as InvitedPerson);
      if (row.error === '') invited += 1;
      else refused += 1;
      const { submitter } = row;
      const { authProvider, externalSubjectId, displayId } = submitter;
      lines.push([authProvider ?? '', externalSubjectId, displayId, row.submissionId, row.link, row.error]);
    }
    const text = lines
      .map((cells) => `${cells.map((cell) => csvCell(cell, plainCsv)).join(',')}\r\n`)
      .join('');
    const content = Buffer.from(deps.box.seal(text, partContext(tenantId, jobId, parts)));
    await tx.query(insertPart({ tenantId, jobId, part: parts, bytes: content.length, content }));
    const isLast = taken.length < peopleAtOnce;
    const expiresAt = new Date(Date.now() + deps.keptHours * hourMs).toISOString();
    return {
      state: isLast ? 'done' : 'running',
      done: done + taken.length,
      counts: { invited, refused },
      place: { parts: parts + 1 },
      ...(isLast && { result: { parts: parts + 1, expiresAt } satisfies InvitationResult }),
      pauseMs: performance.now() - startedAt,
    };
  };

interface Invited {
  submitter: InvitedPerson['submitter'];
  submissionId: string;
  link: string;
  /** An error code; empty for a person who has a link now. */
  error: string;
}

async function invite(
  tx: Tx,
  { submitters, use }: InvitationStepDeps,
  { tenantId, jobId, request }: { tenantId: string; jobId: string; request: InvitationRequest },
  { submitter, ...changes }: InvitedPerson,
): Promise<Invited> {
  const { formId, invitedBy, traceparent, expiresAt, note, pageUrl } = request;
  try {
    const create = {
      formId,
      tenantId,
      submitter: submitters.ofPayload(submitter),
      mayTest: false,
      isTest: false,
      mayAnswerPrivate: true,
      onBehalfBy: invitedBy,
      tokenHolder: null,
      changes,
      answerFaults: null,
      traceparent,
    };
    const added = { formId, tenantId, creates: 1, bytes: answerBytes(changes) } as const;
    const submissionId = await use
      .counted(added, () => createSubmission({ db: tx, wake: () => undefined }, create))
      .then(
        ({ id }) => id,
        (error: unknown) => existingOf(error, request),
      );
    const link = await createLink(
      tx,
      { tenantId, formId, submissionId },
      { right: 'continue', expiresAt: new Date(expiresAt), note },
      { createdBy: invitedBy, jobId },
    );
    return { submitter, submissionId, link: `${pageUrl}#link=${link.token}`, error: '' };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { submitter, submissionId: '', link: '', error: error.errorCode };
  }
}

/** The submission that the person has. Without the right to link it, the refusal of the create stands. */
function existingOf(error: unknown, { mayLinkExisting }: InvitationRequest): string {
  const { existingId } = error instanceof Problem ? (error.extra ?? {}) : {};
  if (typeof existingId !== 'string' || !mayLinkExisting) throw error;
  return existingId;
}
