import { brokerManagement, eventually } from '@canvass/testing';
import { randomBytes } from 'node:crypto';
import { signIn, type Callers } from '../src/client';
import { databaseDump, openErasures } from '../src/database-dump';
import { startReceiver, type Receiver } from '../src/receiver';
import { readable } from '../src/secret-forms';
import { processLogs, stackFile } from '../src/stack';

interface Submission {
  id: string;
  token: string;
  submitterId: string;
}

const canaries = new Map<string, string>();
/** A unique text of a respondent, by what it is. */
function canary(what: string): string {
  const text = `canary-${randomBytes(12).toString('hex')}`;
  canaries.set(what, text);
  return text;
}
/** The text of a submission that is not erased. */
const neighbour = `neighbour-${randomBytes(12).toString('hex')}`;

const heldQueues = ['service.dead', 'webhook.events.retry.300s'];
const maxSeconds = 60;

let callers: Callers;
let receiver: Receiver;
let submissions: string;
let exportedFile: string;
let known: Submission;
let anonymous: Submission;

async function broker() {
  const { amqpUrl, amqpManagementUrl } = await stackFile();
  const { api } = brokerManagement(amqpManagementUrl!);
  const vhost = new URL(amqpUrl).pathname.slice(1) || '%2F';
  return {
    put: (queue: string, payload: object) =>
      api('POST', `/exchanges/${vhost}/amq.default/publish`, {
        properties: { delivery_mode: 2, message_id: 'put-by-a-test' },
        routing_key: queue,
        payload: JSON.stringify(payload),
        payload_encoding: 'string',
      }),
    async bodies() {
      const queues = (await api('GET', `/queues/${vhost}`)) as { name: string }[];
      const options = { count: 1_000, ackmode: 'ack_requeue_true', encoding: 'auto' };
      const read = queues
        .filter(({ name }) => !name.startsWith('outbox.wake.'))
        .map(({ name }) => api('POST', `/queues/${vhost}/${name}/get`, options));
      return JSON.stringify(await Promise.all(read));
    },
  };
}

const answers = () =>
  JSON.stringify({
    jsonData: JSON.stringify({ a: canary('answer') }),
    metadata: JSON.stringify({ m: canary('metadata') }),
  });

/** Everything that an administrator can read of the form and its respondents. */
async function readByApi(): Promise<string> {
  const { admin } = callers;
  const texts: unknown[] = [];
  const read = async (method: string, path: string, body?: object) => {
    const reply = await admin.call(method, path, body);
    texts.push(reply.body);
    return reply.body;
  };
  await read('GET', `${submissions}?limit=100`);
  await read('POST', `${submissions}/export`, { format: 'json' });
  await read('GET', exportedFile);
  for (const { id } of [known, anonymous])
    for (const path of ['', '/versions']) await read('GET', `${submissions}/${id}${path}`);
  await read('GET', `${submissions}/by-token/${anonymous.token}`);
  await read('GET', '/api/submitters?limit=100');
  for (const path of ['/api/views', '/api/auth/me/preferences', '/api/jobs', '/api/webhooks/recoveries'])
    await read('GET', path);
  await read('GET', `/api/submitters/${known.submitterId}`);
  await read('GET', `/api/submitters/${known.submitterId}/export`);
  for (const { id } of [known, anonymous]) {
    const found = await read('GET', `/api/webhooks/deliveries?limit=100&entityId=${id}`);
    for (const each of found['items'] as { id: string }[])
      await read('GET', `/api/webhooks/deliveries/${each.id}`);
  }
  return JSON.stringify(texts);
}

const places: Record<string, () => Promise<string>> = {
  database: databaseDump,
  queues: async () => (await broker()).bodies(),
  logs: async () => JSON.stringify(await processLogs()),
  API: readByApi,
};

beforeAll(async () => {
  callers = await signIn();
  const { admin, integration } = callers;
  receiver = await startReceiver();
  receiver.sink.respond(({ body }) => ({ status: 200, body }));
  const form = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'Erasure',
    isEnabled: true,
    webHookSettingsJson: receiver.settings(['SubmissionCompleted', 'SubmissionDeleted']),
  });
  submissions = `/api/forms/${form.id}/submissions`;
  await receiver.trust(admin);

  known = await integration.expect<Submission>(201, 'POST', `${submissions}/onbehalf`, {
    ...(JSON.parse(answers()) as object),
    isComplete: true,
    submitter: {
      externalSubjectId: `${canary('e-mail')}@example.org`,
      displayId: canary('display id'),
      profile: { name: canary('name'), department: canary('department') },
    },
  });
  await admin.expect(200, 'PATCH', `${submissions}/${known.id}`, {
    jsonData: JSON.stringify({ a: canary('later answer') }),
  });
  const begun = await callers.anonymous.call<Submission>(
    'POST',
    submissions,
    { jsonData: JSON.stringify({ a: canary('partial answer') }) },
    { 'idempotency-key': randomBytes(16).toString('base64url') },
  );
  anonymous = begun.body;
  await callers.anonymous.expect(200, 'PATCH', `${submissions}/by-token/${anonymous.token}`, {
    jsonData: JSON.stringify({ a: canary('later partial answer') }),
  });
  await callers.anonymous.expect(201, 'POST', submissions, {
    jsonData: JSON.stringify({ a: neighbour }),
    isComplete: true,
  });
  // Like a copy of an event that a consumer rejected, or will try again.
  const { put } = await broker();
  const event = { id: known.id, type: 'submission.completed', entityId: known.id, formId: form.id };
  const { tenantId } = (await stackFile()).demo;
  for (const queue of heldQueues)
    await put(queue, { ...event, tenantId, data: { jsonData: canary(`answer in ${queue}`) } });
  const sentOf = (id: string) => receiver.message(({ Payload }) => Payload['submissionId'] === id);
  await sentOf(known.id);
  const stored = await admin.expect<{ id: string }>(202, 'POST', `${submissions}/exports`, {
    format: 'json',
  });
  await eventually(async () => {
    const { state } = await admin.get<{ state: string }>(`/api/exports/${stored.id}`);
    expect(state).toBe('done');
  });
  exportedFile = `/api/exports/${stored.id}/file`;
  await searchedBefore(canaries.get('display id')!);
}, 240_000);
afterAll(() => receiver.sink.close());

/** Staff looked for the respondent: in a view, their settings, a bulk change and a recovery of webhooks. */
async function searchedBefore(displayId: string): Promise<void> {
  const { admin } = callers;
  const settings = { filter: [`submitterDisplayId:${displayId}`] };
  const reason = `For ${displayId}.`;
  const view = { screen: 'submissions', name: `Of ${displayId}`, visibility: 'tenant', settings };
  await admin.expect(201, 'POST', '/api/views', view);
  await admin.expect(200, 'PUT', '/api/auth/me/preferences', { settings });
  const filter = { search: displayId };
  const bulk = { action: 'status', status: 'read', filter, reason };
  await admin.expect(202, 'POST', `${submissions}/bulk`, bulk);
  const recovery = {
    mode: 'failed',
    filter: { text: displayId, from: new Date(Date.now() - 3_600_000).toISOString() },
    reason,
  };
  await admin.expect(202, 'POST', '/api/webhooks/recoveries', recovery);
}

it('before the erasure the search finds every canary', async () => {
  const found = await eventually(async () => {
    const texts = await Promise.all(Object.values(places).map((read) => read()));
    const all = readable(texts.join('\n'), canaries).filter((each) => each.endsWith('(clear)'));
    expect(all.map((each) => each.replace(' (clear)', '')).sort()).toEqual([...canaries.keys()].sort());
    return texts;
  });
  const [database, queues, , api] = found;
  for (const text of [database, api]) expect(text).toContain(neighbour);
  expect(queues).toContain(canaries.get('answer in service.dead'));
  // The receiver sent the answers back.
  expect(readable(JSON.stringify(await deliveryOf(known.id)), canaries)).not.toEqual([]);
});

it(`${maxSeconds} seconds after the erasure no canary is found anywhere`, async () => {
  const { admin } = callers;
  await admin.expect(204, 'DELETE', `/api/submitters/${known.submitterId}?submissions=delete`);
  await admin.expect(204, 'DELETE', `${submissions}/${anonymous.id}?erase=true`);
  const erasedAt = Date.now();
  await eventually(
    async () => {
      for (const [place, read] of Object.entries(places))
        expect([place, readable(await read(), canaries)]).toEqual([place, []]);
    },
    { timeoutMs: maxSeconds * 1_000, message: 'an erasure everywhere' },
  );
  console.info(`No canary after ${Math.round((Date.now() - erasedAt) / 1_000)} s.`);
  expect(await databaseDump()).toContain(neighbour);
});

it('the receiver is informed with ids only', async () => {
  for (const { id } of [known, anonymous]) {
    const { message } = await receiver.message(
      ({ EventName, Payload }) => EventName === 'submission_deleted' && Payload['submissionId'] === id,
    );
    expect(Object.keys(message.Payload).sort()).toEqual(
      ['formId', 'id', 'revision', 'submissionId', 'tenantId'].sort(),
    );
  }
});

it('nothing comes back: still no canary after the relay has looked for late copies', async () => {
  await eventually(async () => expect(await openErasures()).toBe(0), { timeoutMs: maxSeconds * 1_000 });
  for (const [place, read] of Object.entries(places))
    expect([place, readable(await read(), canaries)]).toEqual([place, []]);
});

it('ids, status and times of the deliveries stay', async () => {
  expect(await deliveryOf(known.id)).toMatchObject({ status: 'delivered', lastStatusCode: 200 });
});

async function deliveryOf(submissionId: string): Promise<Record<string, unknown>> {
  const path = `/api/webhooks/deliveries?entityId=${submissionId}&eventName=submission_completed`;
  const { items } = await callers.admin.get<{ items: { id: string }[] }>(path);
  return callers.admin.get(`/api/webhooks/deliveries/${items[0]!.id}`);
}
