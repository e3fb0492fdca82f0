import type { SubmissionView } from '@canvass/contracts';
import type { Random } from '@canvass/testing';
import { changeOf, type Intent, type Key } from '../records';
import type { Caller, Driver } from './driver';
import { jsonDataOf } from './tap';

/** A submission that only one client changes. */
export interface Held {
  key: Key;
  id: string;
  formId: string;
  token: string;
  submitterId: string | null;
  revision: bigint;
  complete: boolean;
  screenedOut: boolean;
}

interface Answer {
  isComplete?: boolean;
  collectionOutcome?: 'screen_out';
  currentPage?: number;
  submitter?: object;
}

const complete: Answer = { isComplete: true };
const screenOut: Answer = { collectionOutcome: 'screen_out' };

/** The event of a save. */
const eventOf = ({ isComplete, collectionOutcome }: Answer, otherwise: string): string =>
  isComplete ? 'completed' : collectionOutcome ? 'collection_status_changed' : otherwise;

const submissionsOf = (formId: string) => `/api/forms/${formId}/submissions`;

/** A client that answers forms. */
export class Respondent {
  private readonly random: Random;

  /** @param pickForm returns the form of a turn */
  constructor(
    private readonly driver: Driver,
    private readonly pickForm: (random: Random) => string,
    client: number,
  ) {
    this.random = driver.randomFor(`respondent/${client}`);
  }

  /** The life of one submission, or a part of it. */
  async turn(): Promise<void> {
    const { random, driver } = this;
    const formId = this.pickForm(random);
    const draw = random.next();
    let held: Held | null;
    if (draw < 0.2) held = await this.create(formId, 'anonymous', complete);
    else if (draw < 0.3) held = await this.create(formId, 'admin', complete);
    else if (draw < 0.45) held = await this.createOnBehalf(formId, `crm-${random.between(1, 500)}`);
    else if (draw < 0.52) held = await this.create(formId, 'anonymous', screenOut);
    else held = await this.createAndSave(formId);
    if (held && random.chance(0.3) && !driver.stopped) await this.review(held);
  }

  /** Creates a submission. Null if it was refused or there was no answer. */
  create(formId: string, caller: Caller, answer: Answer): Promise<Held | null> {
    return this.post('create', formId, caller, submissionsOf(formId), answer);
  }

  /** Starts a submission, saves it by token, and mostly completes it. Null if an answer was lost. */
  private async createAndSave(formId: string): Promise<Held | null> {
    const { random, driver } = this;
    let held = await this.create(formId, random.chance(0.7) ? 'anonymous' : 'admin', {});
    const steps = random.between(0, 2);
    for (let step = 1; step <= steps && held && !driver.stopped; step++) {
      held = await this.saveByToken(held, { currentPage: step });
    }
    if (!held || driver.stopped) return null;
    const draw = random.next();
    if (draw < 0.7) return this.saveByToken(held, complete);
    return draw < 0.8 ? this.saveByToken(held, screenOut) : held;
  }

  private createOnBehalf(formId: string, subject: string): Promise<Held | null> {
    const submitter = { externalSubjectId: subject, displayId: subject, profile: { department: 'Sales' } };
    const path = `/forms/${formId}/submissions/onbehalf`;
    return this.post('create on behalf', formId, 'integration', path, { ...complete, submitter });
  }

  private async post(
    operation: string,
    formId: string,
    caller: Caller,
    path: string,
    answer: Answer,
  ): Promise<Held | null> {
    const { driver } = this;
    const marker = driver.newMarker();
    const repeat = parseInt(marker.slice(-1), 36) % 2 === 1;
    const tried = repeat ? `${operation} with a key` : operation;
    const intent = changeOf('submission', null, tried, eventOf(answer, 'created'), { formId, marker });
    // Anonymous keys have at least 22 characters.
    const headers: Record<string, string> = repeat ? { 'idempotency-key': marker.padEnd(22, '-') } : {};
    const request = ['POST', path, { jsonData: jsonDataOf(marker), ...answer }, headers] as const;
    const reply = await driver.attempt<SubmissionView & { token?: string | null }>(
      caller,
      request,
      intent,
      repeat,
    );
    if (reply.body === undefined) return null;
    const { id, token, submitterId, revision, isComplete, collectionStatus } = reply.body;
    return {
      key: `submission ${id}`,
      id,
      formId,
      token: token ?? '',
      submitterId,
      revision: BigInt(revision),
      complete: isComplete,
      screenedOut: collectionStatus === 'screen_out',
    };
  }

  private async saveByToken(held: Held, answer: Answer): Promise<Held | null> {
    const { id, formId, token } = held;
    const marker = this.driver.newMarker();
    const more = { formId, marker };
    const intent = changeOf('submission', id, 'save by token', eventOf(answer, 'updated'), more);
    const body = { jsonData: jsonDataOf(marker), ...answer };
    const request = ['PATCH', `${submissionsOf(formId)}/by-token/${token}`, body] as const;
    const { body: saved } = await this.driver.attempt<SubmissionView>('anonymous', request, intent);
    if (saved === undefined) return null;
    const screenedOut = answer.collectionOutcome !== undefined;
    return { ...held, revision: BigInt(saved.revision), complete: answer.isComplete === true, screenedOut };
  }

  /** What staff does afterwards. Some of it must be refused. */
  private async review({ id, formId, revision, complete: isComplete, screenedOut }: Held): Promise<void> {
    const { random, driver } = this;
    const path = `${submissionsOf(formId)}/${id}`;
    const draw = random.next();
    const marker = driver.newMarker();
    const body = { jsonData: jsonDataOf(marker) };
    const intentOf = (operation: string, event: string, more: Partial<Intent>) =>
      changeOf('submission', id, operation, event, { formId, ...more });
    if (draw < 0.4) {
      const status = random.pick(['read', 'approved', 'declined']);
      await driver.attempt(
        'admin',
        ['POST', `${path}/status`, { status }],
        intentOf('review', 'updated', {}),
      );
    } else if (draw < 0.6) {
      const deletion = { deletes: true, revision: String(revision + 1n) };
      await driver.attempt('admin', ['DELETE', path], intentOf('delete', 'deleted', deletion));
    } else if (draw < 0.7) {
      const intent = intentOf('save a stale revision', 'updated', { marker });
      await driver.attempt('admin', ['PATCH', path, body, { 'if-match': '"999999"' }], intent);
    } else if (!screenedOut) {
      const undoes = isComplete && random.chance(0.3);
      const intent = intentOf(undoes ? 'undo completion' : 'save by id', 'updated', { marker });
      await driver.attempt('admin', ['PATCH', path, undoes ? { ...body, isComplete: false } : body], intent);
    }
  }
}
