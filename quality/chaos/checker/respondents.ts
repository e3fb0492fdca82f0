import type { Random } from '@canvass/testing';
import type { Attempt, Driver } from './driver';
import type { Forms } from './forms';
import type { Caller } from './gateway-client';
import { jsonDataOf } from './markers';

/** A submission that one worker has in hand; nobody else changes it. */
interface Held {
  id: string;
  formId: string;
  token: string;
  submitterId: string | null;
  revision: bigint;
  complete: boolean;
  screenedOut: boolean;
}

const completed = ['submission.completed'];
const screenedOut = ['submission.collection_status_changed'];

/** Answers forms for as long as the driver goes on: each turn is one submission's life, or a part of one. */
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
  else if (draw < 0.45) held = await onBehalf(driver, formId, random);
  else if (draw < 0.52)
    held = await create(driver, formId, 'anonymous', { collectionOutcome: 'screen_out' }, screenedOut);
  else if (draw < 0.55) return refusedCreate(driver, formId);
  else if (draw < 0.58) return erasedPerson(driver, formId, random);
  else held = await journey(driver, formId, random);
  if (held && random.chance(0.3) && !driver.stopped) await review(driver, held, random);
}

/** Begins, goes on by token, and mostly comes to an end. Null when an answer was lost on the way. */
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

async function create(
  driver: Driver,
  formId: string,
  caller: Caller,
  members: Record<string, unknown>,
  events: readonly string[],
): Promise<Held | null> {
  const path = `/api/forms/${formId}/submissions`;
  return created(driver, formId, caller, path, members, events);
}

async function onBehalf(
  driver: Driver,
  formId: string,
  random: Random,
  subject = `crm-${random.between(1, 500)}`,
): Promise<Held | null> {
  const submitter = {
    externalSubjectId: subject,
    displayId: `Person ${subject}`,
    profile: { department: 'Sales' },
  };
  const path = `/forms/${formId}/submissions/onbehalf`;
  return created(driver, formId, 'integration', path, { isComplete: true, submitter }, completed);
}

async function created(
  driver: Driver,
  formId: string,
  caller: Caller,
  path: string,
  members: Record<string, unknown>,
  events: readonly string[],
): Promise<Held | null> {
  const marker = driver.newMarker();
  const body = { jsonData: jsonDataOf(marker), ...members };
  // The marker is a word that nobody else uses: every second create has it as its key.
  const keyed = driver.isOddMarker(marker);
  const operation = path.endsWith('/onbehalf') ? 'create on behalf' : 'create';
  const attempt: Attempt = {
    entity: 'submission',
    operation: keyed ? `${operation} with a key` : operation,
    caller,
    method: 'POST',
    path,
    body,
    entityId: null,
    formId,
    marker,
    events,
    ...(keyed ? { key: marker } : {}),
  };
  const reply = await driver.attempt(attempt);
  if (reply.outcome !== 'acknowledged' || reply.body === null) return null;
  const { id, token, isComplete, collectionStatus, revision, submitterId } = reply.body;
  return {
    submitterId: typeof submitterId === 'string' ? submitterId : null,
    id: String(id),
    formId,
    token: String(token),
    revision: BigInt(String(revision)),
    complete: isComplete === true,
    screenedOut: collectionStatus === 'screen_out',
  };
}

async function saveByToken(
  driver: Driver,
  held: Held,
  members: Record<string, unknown>,
  events: readonly string[],
): Promise<Held | null> {
  const marker = driver.newMarker();
  const reply = await driver.attempt({
    entity: 'submission',
    operation: 'save by token',
    caller: 'anonymous',
    method: 'PATCH',
    path: `/api/forms/${held.formId}/submissions/by-token/${held.token}`,
    body: { jsonData: jsonDataOf(marker), ...members },
    entityId: held.id,
    formId: held.formId,
    marker,
    events,
  });
  if (reply.outcome !== 'acknowledged') return null;
  return {
    ...held,
    revision: BigInt(String(reply.body?.['revision'])),
    complete: members['isComplete'] === true,
    screenedOut: members['collectionOutcome'] === 'screen_out',
  };
}

/** Somebody answers once or twice through an integration, and is erased; with the answers, or without. */
async function erasedPerson(driver: Driver, formId: string, random: Random): Promise<void> {
  const subject = driver.newMarker();
  const held: Held[] = [];
  for (let times = random.between(1, 2); times > 0; times--) {
    const next = await onBehalf(driver, formId, random, subject);
    if (!next) return; // it may be stored: then the erasure would change more than is known
    held.push(next);
  }
  const [first, ...others] = held;
  if (!first?.submitterId || driver.stopped) return;
  const erases = random.chance(0.5);
  const query = `?submissions=${erases ? 'delete' : 'keep'}`;
  const touched = held.map(({ id, revision }) => ({ entityId: id, revision: String(revision + 1n) }));
  await driver.attempt(
    {
      entity: 'submission',
      operation: `erase its submitter${query}`,
      caller: 'admin',
      method: 'DELETE',
      path: `/api/submitters/${first.submitterId}${query}`,
      formId,
      marker: null,
      ...touched[0]!,
      deletes: erases,
      erases,
      events: [erases ? 'submission.deleted' : 'submission.updated'],
    },
    touched.slice(1, 1 + others.length),
  );
}

/** What staff does with it afterwards; some of it has to be refused. */
async function review(driver: Driver, held: Held, random: Random): Promise<void> {
  const { id: entityId, formId } = held;
  const path = `/api/forms/${formId}/submissions/${entityId}`;
  const common = { entity: 'submission', caller: 'admin', entityId, formId } as const;
  const draw = random.next();
  const marker = driver.newMarker();
  const body = { jsonData: jsonDataOf(marker) };
  const updated = ['submission.updated'];
  if (draw < 0.4) {
    const status = random.pick(['read', 'approved', 'declined']);
    const mark = { operation: 'review', method: 'POST', path: `${path}/status`, body: { status } } as const;
    await driver.attempt({ ...common, ...mark, marker: null, events: updated });
  } else if (draw < 0.6) {
    await driver.attempt({
      ...common,
      operation: 'delete',
      method: 'DELETE',
      path,
      marker: null,
      deletes: true,
      events: ['submission.deleted'],
      revision: String(held.revision + 1n),
    });
  } else if (draw < 0.7) {
    const headers = { 'if-match': '"999999"' };
    const stale = {
      operation: 'save a stale revision',
      method: 'PATCH',
      path,
      body,
      headers,
      marker,
    } as const;
    await driver.attempt({ ...common, ...stale, events: updated });
  } else if (!held.screenedOut) {
    const undo = held.complete && random.chance(0.3) ? { isComplete: false } : {};
    const operation = 'isComplete' in undo ? 'undo completion' : 'save by id';
    const save = { operation, method: 'PATCH', path, body: { ...body, ...undo }, marker } as const;
    await driver.attempt({ ...common, ...save, events: updated });
  }
}

async function refusedCreate(driver: Driver, formId: string): Promise<void> {
  const marker = driver.newMarker();
  await driver.attempt({
    entity: 'submission',
    operation: 'create with broken JSON',
    caller: 'anonymous',
    method: 'POST',
    path: `/api/forms/${formId}/submissions`,
    body: { jsonData: `{"m":"${marker}"`, isComplete: true },
    entityId: null,
    formId,
    marker,
    events: completed,
  });
}
