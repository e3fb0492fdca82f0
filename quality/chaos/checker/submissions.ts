import type { Api, Random } from '@canvass/testing';
import type { Intent, Key, Resend } from '../records';
import type { Caller, Driver } from './driver';
import type { Forms } from './forms';
import { jsonDataOf } from './markers';

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
}

interface Params {
  path: { formId: string };
  header?: { 'Idempotency-Key': string };
}

interface Created {
  id: string;
  token?: string | null;
  isComplete: boolean;
  collectionStatus: string;
  revision: string;
  submitterId: string | null;
}

type Post = (api: Api, params: Params, jsonData: string) => Promise<{ data?: Created; response: Response }>;

const intentOf = (operation: string, event: string, of: Partial<Intent>): Intent => ({
  entity: 'submission',
  operation,
  events: [`submission.${event}`],
  ...of,
});

const complete: Answer = { isComplete: true };
const screenOut: Answer = { collectionOutcome: 'screen_out' };

/** The event of a save. */
const eventOf = ({ isComplete, collectionOutcome }: Answer, otherwise: string): string =>
  isComplete ? 'completed' : collectionOutcome ? 'collection_status_changed' : otherwise;

/** A client that answers forms. */
export class Respondent {
  private readonly random: Random;

  constructor(
    private readonly driver: Driver,
    private readonly forms: Pick<Forms, 'pick'>,
    client: number,
  ) {
    this.random = driver.randomFor(`respondent/${client}`);
  }

  /** Each turn is the life of one submission, or a part of it, until the driver stops. */
  async run(): Promise<void> {
    while (!this.driver.stopped) {
      const formId = this.forms.pick(this.random);
      if (formId === null) await this.driver.pause(200);
      else await this.oneTurn(formId);
    }
  }

  /** Creates a submission. Null if it was refused or there was no answer. */
  create(formId: string, caller: Caller, answer: Answer): Promise<Held | null> {
    return this.createWith('create', formId, caller, eventOf(answer, 'created'), (api, params, jsonData) =>
      api.POST('/api/forms/{formId}/submissions', { params, body: { jsonData, ...answer } }),
    );
  }

  private async oneTurn(formId: string): Promise<void> {
    const { random, driver } = this;
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
    return this.createWith('create on behalf', formId, 'integration', 'completed', (api, params, jsonData) =>
      api.POST('/forms/{formId}/submissions/onbehalf', {
        params,
        body: { jsonData, ...complete, submitter },
      }),
    );
  }

  private async createWith(
    operation: string,
    formId: string,
    caller: Caller,
    event: string,
    post: Post,
  ): Promise<Held | null> {
    const { driver } = this;
    const marker = driver.newMarker();
    const repeat = driver.usesKey(marker);
    const params = { path: { formId }, ...(repeat ? { header: { 'Idempotency-Key': marker } } : {}) };
    const intent = intentOf(repeat ? `${operation} with a key` : operation, event, { formId, marker });
    const call = (api: Api) => post(api, params, jsonDataOf(marker));
    const { body } = await driver.attempt(caller, intent, call, { repeat });
    if (body === undefined) return null;
    return {
      key: `submission ${body.id}`,
      id: body.id,
      formId,
      token: body.token ?? '',
      submitterId: body.submitterId,
      revision: BigInt(body.revision),
      complete: body.isComplete,
      screenedOut: body.collectionStatus === 'screen_out',
    };
  }

  private async saveByToken(held: Held, answer: Answer): Promise<Held | null> {
    const { key, formId, token } = held;
    const marker = this.driver.newMarker();
    const intent = intentOf('save by token', eventOf(answer, 'updated'), { key, formId, marker });
    const params = { path: { formId, token } };
    const { body } = await this.driver.attempt('anonymous', intent, (api) =>
      api.PATCH('/api/forms/{formId}/submissions/by-token/{token}', {
        params,
        body: { jsonData: jsonDataOf(marker), ...answer },
      }),
    );
    if (body === undefined) return null;
    const screenedOut = answer.collectionOutcome !== undefined;
    return { ...held, revision: BigInt(body.revision), complete: answer.isComplete === true, screenedOut };
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
    const query = { submissions: erases ? 'delete' : 'keep' } as const;
    const [first, ...alike] = held.map(({ key, revision }) => ({ key, revision: String(revision + 1n) }));
    const intent = intentOf(
      `erase its submitter, ${query.submissions} submissions`,
      erases ? 'deleted' : 'updated',
      {
        formId,
        deletes: erases,
        erases,
        ...first,
      },
    );
    const params = { path: { submitterId }, query };
    const call = (api: Api) => api.DELETE('/api/submitters/{submitterId}', { params });
    await driver.attempt('admin', intent, call, { alike });
  }

  /** What staff does afterwards. Some of it must be refused. */
  private async review({ key, id, formId, revision, complete, screenedOut }: Held): Promise<void> {
    const { random, driver } = this;
    const params = { path: { formId, submissionId: id } };
    const of = { key, formId };
    const draw = random.next();
    const marker = driver.newMarker();
    const body = { jsonData: jsonDataOf(marker) };
    if (draw < 0.4) {
      const status = random.pick(['read', 'approved', 'declined'] as const);
      await driver.attempt('admin', intentOf('review', 'updated', of), (api) =>
        api.POST('/api/forms/{formId}/submissions/{submissionId}/status', { params, body: { status } }),
      );
    } else if (draw < 0.6) {
      const deletion = { ...of, deletes: true, revision: String(revision + 1n) };
      await driver.attempt('admin', intentOf('delete', 'deleted', deletion), (api) =>
        api.DELETE('/api/forms/{formId}/submissions/{submissionId}', { params }),
      );
    } else if (draw < 0.7) {
      const stale = { ...params, header: { 'If-Match': '"999999"' } };
      await driver.attempt('admin', intentOf('save a stale revision', 'updated', { ...of, marker }), (api) =>
        api.PATCH('/api/forms/{formId}/submissions/{submissionId}', { params: stale, body }),
      );
    } else if (!screenedOut) {
      const undo = complete && random.chance(0.3) ? { isComplete: false } : {};
      const operation = 'isComplete' in undo ? 'undo completion' : 'save by id';
      await driver.attempt('admin', intentOf(operation, 'updated', { ...of, marker }), (api) =>
        api.PATCH('/api/forms/{formId}/submissions/{submissionId}', { params, body: { ...body, ...undo } }),
      );
    }
  }

  /** Refused: the answers are no JSON. */
  private async createRefused(formId: string): Promise<void> {
    const marker = this.driver.newMarker();
    const body = { jsonData: `{"m":"${marker}"`, ...complete };
    const params = { path: { formId } };
    const intent = intentOf('create with broken JSON', 'completed', { formId, marker });
    await this.driver.attempt('anonymous', intent, (api) =>
      api.POST('/api/forms/{formId}/submissions', { params, body }),
    );
  }
}

const resendPauseMs = 1_500;

/** Requests that accepted deliveries are sent again. */
export async function resendDeliveries(driver: Driver, resends: Resend[]): Promise<void> {
  const random = driver.randomFor('resends');
  const params = { query: { status: 'delivered', pageSize: 50 } } as const;
  while (!driver.stopped) {
    await driver.pause(resendPauseMs);
    const { body } = await driver.send('admin', (api) => api.GET('/api/webhooks/deliveries', { params }));
    if (body === undefined || body.items.length === 0 || driver.stopped) continue;
    const { id, messageId: hookId, endpointId } = random.pick(body.items);
    const { sentAt, outcome } = await driver.send('admin', (api) =>
      api.POST('/api/webhooks/deliveries/{id}/resend', { params: { path: { id } } }),
    );
    resends.push({ hookId, endpointId, sentAt, outcome });
  }
}
