import type { Api, Random } from '@canvass/testing';
import type { Intent, Resend } from '../records';
import type { Caller, Driver } from './driver';
import type { Forms } from './forms';
import { jsonDataOf } from './markers';

/** A submission that only one worker changes. */
export interface Held {
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

const completed = ['submission.completed'];
const screenedOut = ['submission.collection_status_changed'];

/** Answers forms until the driver stops. Each turn is the life of one submission, or a part of it. */
export async function respond(driver: Driver, forms: Forms, worker: number): Promise<void> {
  const random = driver.randomFor(`respondent/${worker}`);
  while (!driver.stopped) {
    const formId = forms.pick(random);
    if (formId === null) await driver.pause(200);
    else await oneTurn(driver, formId, random);
  }
}

async function oneTurn(driver: Driver, formId: string, random: Random): Promise<void> {
  const draw = random.next();
  let held: Held | null;
  if (draw < 0.2) held = await create(driver, formId, 'anonymous', { isComplete: true }, completed);
  else if (draw < 0.3) held = await create(driver, formId, 'admin', { isComplete: true }, completed);
  else if (draw < 0.45) held = await onBehalf(driver, formId, `crm-${random.between(1, 500)}`);
  else if (draw < 0.52)
    held = await create(driver, formId, 'anonymous', { collectionOutcome: 'screen_out' }, screenedOut);
  else if (draw < 0.55) return createRefused(driver, formId);
  else if (draw < 0.58) return createAndErase(driver, formId, random);
  else held = await journey(driver, formId, random);
  if (held && random.chance(0.3) && !driver.stopped) await review(driver, held, random);
}

/** Starts a submission, saves it by token, and mostly completes it. Null if an answer was lost. */
async function journey(driver: Driver, formId: string, random: Random): Promise<Held | null> {
  const caller: Caller = random.chance(0.7) ? 'anonymous' : 'admin';
  let held = await create(driver, formId, caller, {}, ['submission.created']);
  const steps = random.between(0, 2);
  for (let step = 1; step <= steps && held && !driver.stopped; step++) {
    held = await saveByToken(driver, held, { currentPage: step }, ['submission.updated']);
  }
  if (!held || driver.stopped) return null;
  const draw = random.next();
  if (draw < 0.7) return saveByToken(driver, held, { isComplete: true }, completed);
  if (draw < 0.8) return saveByToken(driver, held, { collectionOutcome: 'screen_out' }, screenedOut);
  return held;
}

/** Creates a submission. Null if it was refused or there was no answer. */
export function create(
  driver: Driver,
  formId: string,
  caller: Caller,
  answer: Answer,
  events: readonly string[],
): Promise<Held | null> {
  return createWith(driver, formId, caller, 'create', events, (api, params, jsonData) =>
    api.POST('/api/forms/{formId}/submissions', { params, body: { jsonData, ...answer } }),
  );
}

function onBehalf(driver: Driver, formId: string, subject: string): Promise<Held | null> {
  const submitter = {
    externalSubjectId: subject,
    displayId: `Person ${subject}`,
    profile: { department: 'Sales' },
  };
  return createWith(driver, formId, 'integration', 'create on behalf', completed, (api, params, jsonData) =>
    api.POST('/forms/{formId}/submissions/onbehalf', {
      params,
      body: { jsonData, isComplete: true, submitter },
    }),
  );
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

async function createWith(
  driver: Driver,
  formId: string,
  caller: Caller,
  operation: string,
  events: readonly string[],
  post: (api: Api, params: Params, jsonData: string) => Promise<{ data?: Created; response: Response }>,
): Promise<Held | null> {
  const marker = driver.newMarker();
  const intent: Intent = { entity: 'submission', operation, formId, marker, events };
  const path = { formId };
  // Every second create has its marker as its key.
  const { body } = driver.usesKey(marker)
    ? await driver.attemptKeyed(caller, { ...intent, operation: `${operation} with a key` }, (api) =>
        post(api, { path, header: { 'Idempotency-Key': marker } }, jsonDataOf(marker)),
      )
    : await driver.attempt(caller, intent, (api) => post(api, { path }, jsonDataOf(marker)));
  if (body === undefined) return null;
  return {
    id: body.id,
    formId,
    token: body.token ?? '',
    submitterId: body.submitterId,
    revision: BigInt(body.revision),
    complete: body.isComplete,
    screenedOut: body.collectionStatus === 'screen_out',
  };
}

async function saveByToken(
  driver: Driver,
  held: Held,
  answer: Answer,
  events: readonly string[],
): Promise<Held | null> {
  const { formId, token } = held;
  const marker = driver.newMarker();
  const { body } = await driver.attempt(
    'anonymous',
    { entity: 'submission', operation: 'save by token', entityId: held.id, formId, marker, events },
    (api) =>
      api.PATCH('/api/forms/{formId}/submissions/by-token/{token}', {
        params: { path: { formId, token } },
        body: { jsonData: jsonDataOf(marker), ...answer },
      }),
  );
  if (body === undefined) return null;
  return {
    ...held,
    revision: BigInt(body.revision),
    complete: answer.isComplete === true,
    screenedOut: answer.collectionOutcome === 'screen_out',
  };
}

/** One or two submissions of a person by an integration; then the person is erased, with or without the answers. */
async function createAndErase(driver: Driver, formId: string, random: Random): Promise<void> {
  const subject = driver.newMarker();
  const held: Held[] = [];
  for (let times = random.between(1, 2); times > 0; times--) {
    const next = await onBehalf(driver, formId, subject);
    if (!next) return; // It may be stored. Then the erasure would change more than is known.
    held.push(next);
  }
  const submitterId = held[0]?.submitterId;
  if (!submitterId || driver.stopped) return;
  const erases = random.chance(0.5);
  const query = { submissions: erases ? 'delete' : 'keep' } as const;
  const [first, ...others] = held.map(({ id, revision }) => ({
    entityId: id,
    revision: String(revision + 1n),
  }));
  const intent: Intent = {
    entity: 'submission',
    operation: `erase its submitter, ${query.submissions} submissions`,
    formId,
    deletes: erases,
    erases,
    events: [erases ? 'submission.deleted' : 'submission.updated'],
    ...first,
  };
  const params = { path: { submitterId }, query };
  await driver.attempt(
    'admin',
    intent,
    (api) => api.DELETE('/api/submitters/{submitterId}', { params }),
    others,
  );
}

/** What staff does afterwards. Some of it must be refused. */
async function review(driver: Driver, held: Held, random: Random): Promise<void> {
  const { id, formId } = held;
  const path = { formId, submissionId: id };
  const draw = random.next();
  const marker = driver.newMarker();
  const body = { jsonData: jsonDataOf(marker) };
  const intentOf = (operation: string, event: string): Intent => ({
    entity: 'submission',
    operation,
    entityId: id,
    formId,
    events: [event],
  });
  if (draw < 0.4) {
    const status = random.pick(['read', 'approved', 'declined'] as const);
    await driver.attempt('admin', intentOf('review', 'submission.updated'), (api) =>
      api.POST('/api/forms/{formId}/submissions/{submissionId}/status', {
        params: { path },
        body: { status },
      }),
    );
  } else if (draw < 0.6) {
    const revision = String(held.revision + 1n);
    const intent = { ...intentOf('delete', 'submission.deleted'), deletes: true, revision };
    await driver.attempt('admin', intent, (api) =>
      api.DELETE('/api/forms/{formId}/submissions/{submissionId}', { params: { path } }),
    );
  } else if (draw < 0.7) {
    const intent = { ...intentOf('save a stale revision', 'submission.updated'), marker };
    const params = { path, header: { 'If-Match': '"999999"' } };
    await driver.attempt('admin', intent, (api) =>
      api.PATCH('/api/forms/{formId}/submissions/{submissionId}', { params, body }),
    );
  } else if (!held.screenedOut) {
    const undo = held.complete && random.chance(0.3) ? { isComplete: false } : {};
    const operation = 'isComplete' in undo ? 'undo completion' : 'save by id';
    await driver.attempt('admin', { ...intentOf(operation, 'submission.updated'), marker }, (api) =>
      api.PATCH('/api/forms/{formId}/submissions/{submissionId}', {
        params: { path },
        body: { ...body, ...undo },
      }),
    );
  }
}

/** Refused: the answers are no JSON. */
async function createRefused(driver: Driver, formId: string): Promise<void> {
  const marker = driver.newMarker();
  await driver.attempt(
    'anonymous',
    { entity: 'submission', operation: 'create with broken JSON', formId, marker, events: completed },
    (api) =>
      api.POST('/api/forms/{formId}/submissions', {
        params: { path: { formId } },
        body: { jsonData: `{"m":"${marker}"`, isComplete: true },
      }),
  );
}

const resendPauseMs = 1_500;

/** Requests that deliveries which came through are sent again. */
export async function resendDeliveries(driver: Driver, resends: Resend[]): Promise<void> {
  const random = driver.randomFor('resends');
  while (!driver.stopped) {
    await driver.pause(resendPauseMs);
    const query = { status: 'delivered', pageSize: 50 } as const;
    const { reply } = await driver.send('admin', (api) =>
      api.GET('/api/webhooks/deliveries', { params: { query } }),
    );
    const items = reply.body?.items ?? [];
    if (items.length === 0 || driver.stopped) continue;
    const { id, messageId, endpointId } = random.pick(items);
    const { sentAt, outcome } = (
      await driver.send('admin', (api) =>
        api.POST('/api/webhooks/deliveries/{id}/resend', { params: { path: { id } } }),
      )
    ).reply;
    resends.push({ hookId: messageId, endpointId, sentAt, outcome });
  }
}
