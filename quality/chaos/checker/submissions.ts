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

/** Share of creates with large answers, as photos make them. A body may have 1 MiB. */
const largeShare = 0.01;
const maxBytes = 1_000_000;

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
    else if (draw < 0.55) return this.createRefused(formId);
    else if (draw < 0.58) return this.createAndErase(formId);
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
    const { driver, random } = this;
    const marker = driver.newMarker();
    const repeat = parseInt(marker.slice(-1), 36) % 2 === 1;
    const tried = repeat ? `${operation} with a key` : operation;
    const intent = changeOf('submission', null, tried, eventOf(answer, 'created'), { formId, marker });
    // Anonymous keys have at least 22 characters.
    const headers: Record<string, string> = repeat ? { 'idempotency-key': marker.padEnd(22, '-') } : {};
    const bytes = random.chance(largeShare) ? random.between(100_000, maxBytes) : 0;
    const request = ['POST', path, { jsonData: jsonDataOf(marker, bytes), ...answer }, headers] as const;
    const reply = await driver.attempt<SubmissionView & { token?: string | null }>(caller, request, intent, {
      repeat,
    });
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

  /**
   * One or two submissions of a person by an integration; then the person is erased, with or without the
   * answers.
   */
  private async createAndErase(formId: string): Promise<void> {
    const { random, driver } = this;
    const subject = driver.newMarker();
    const held: Held[] = [];
    for (let times = random.between(1, 2); times > 0; times--) {
      const next = await this.createOnBehalf(formId, subject);
      if (!next) return; // It may be stored. Then the erasure would change more than is known.
      held.push(next);
    }
    const submitterId = held[0]?.submitterId;
    if (!submitterId || driver.stopped) return;
    const erases = random.chance(0.5);
    const how = erases ? 'delete' : 'keep';
    const [first, ...alike] = held.map(({ key, revision }) => ({ key, revision: String(revision + 1n) }));
    const operation = `erase its submitter, ${how} submissions`;
    const more = { formId, deletes: erases, erases, ...first };
    const intent = changeOf('submission', null, operation, erases ? 'deleted' : 'updated', more);
    const request = ['DELETE', `/api/submitters/${submitterId}?submissions=${how}`] as const;
    await driver.attempt('admin', request, intent, { alike });
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

  /** Refused: the answers are no JSON. */
  private async createRefused(formId: string): Promise<void> {
    const marker = this.driver.newMarker();
    const request = ['POST', submissionsOf(formId), { jsonData: `{"m":"${marker}"`, ...complete }] as const;
    const more = { formId, marker };
    const intent = changeOf('submission', null, 'create with broken JSON', 'completed', more);
    await this.driver.attempt('anonymous', request, intent);
  }
}
