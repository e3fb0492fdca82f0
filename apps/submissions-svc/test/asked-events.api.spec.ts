import { exchanges, type EventEnvelope, type WebhookEventName } from '@canvass/contracts';
import { eventually, testVhost, type TestVhost } from '@canvass/testing';
import { client, startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { bulkCalls } from './job-calls';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let vhost: TestVhost;
let test: Harness;
beforeAll(async () => {
  vhost = await testVhost();
  test = await startHarness();
});
afterAll(async () => {
  await test.close();
  await vhost.drop();
});

const { anonymous, begin } = submissionCalls(() => test);
const { started } = bulkCalls(() => test);

/** Settings with an endpoint for each of these events, as JSON text. */
const asking = (...names: WebhookEventName[]): string => {
  const event = { IsEnabled: true, WebHookEndpoints: [{ Url: 'https://hooks.example.org' }] };
  return JSON.stringify({ Events: Object.fromEntries(names.map((name) => [name, event])) });
};
const both = asking('SubmissionUpdated', 'SubmissionStatusChanged');

/** What the events of a submission are, with their answers. */
const eventsOf = async (id: string | undefined) =>
  (await test.events({ entityId: id! })).map(({ type, revision, settings, data }) => [
    type.replace('submission.', ''),
    Number(revision),
    settings?.scope ?? null,
    data['jsonData'] ?? null,
  ]);

/** A respondent begins, saves, completes; staff reviews twice and edits. */
async function lifeOf(tenant: Tenant, formId: string, url = test.service.url): Promise<string> {
  const respondent = client(url);
  const { body } = await respondent.post<Submission>(pathOf(formId), { jsonData: '{"a":1}' });
  const own = byToken(formId, body['token']);
  // The second save changes nothing.
  for (let n = 0; n < 2; n++) await respondent.patch(own, { jsonData: '{"a":2}' });
  await respondent.patch(own, { isComplete: true });
  const one = `${pathOf(formId)}/${body['id']}`;
  for (let n = 0; n < 2; n++) await tenant.admin.post(`${one}/status`, { status: 'approved' });
  await tenant.admin.patch(one, { jsonData: '{"a":3}' });
  return body['id']!;
}

describe('changes that do not complete a submission', () => {
  it('are reported with the submission where an endpoint asks for them, each once', async () => {
    const tenant = tenantOf(test);
    const id = await lifeOf(tenant, await tenant.form({ webHookSettingsJson: both }));
    expect(await eventsOf(id)).toEqual([
      ['saved', 1, 'form', '{"a":1}'],
      ['saved', 2, 'form', '{"a":2}'],
      ['completed', 3, 'form', '{"a":2}'],
      ['status_changed', 4, 'form', '{"a":2}'],
      ['saved', 5, 'form', '{"a":3}'],
    ]);
    const reviewed = (await test.events({ entityId: id }))[3]!.data;
    expect(reviewed).toMatchObject({ status: 'approved', previousStatus: 'new', revision: '4' });
  });

  it.each<[string, string | null]>([
    ['without settings', null],
    ['with an endpoint for completions', asking('SubmissionCompleted')],
    ['with an event that is off', both.replaceAll('"IsEnabled":true', '"IsEnabled":false')],
    ['with an event without endpoints', '{"Events":{"SubmissionUpdated":{"IsEnabled":true}}}'],
    ['with empty settings', '{}'],
  ])('have ids only and no webhook on a form %s', async (_, webHookSettingsJson) => {
    const tenant = tenantOf(test);
    const id = await lifeOf(tenant, await tenant.form({ webHookSettingsJson }));
    const types = ['created', 'updated', 'completed', 'updated', 'updated'];
    const events = (await eventsOf(id)).filter(([type]) => type !== 'completed');
    expect((await eventsOf(id)).map(([type]) => type)).toEqual(types);
    expect(events.map(([, , settings, answers]) => [settings, answers])).toEqual(Array(4).fill([null, null]));
  });

  it('follow the settings in force: those of the tenant, unless the form has its own', async () => {
    const tenant = tenantOf(test);
    const settings = { webHookSettingsJson: asking('SubmissionUpdated') };
    expect((await tenant.admin.put('/api/tenant/webhook-settings', settings)).status).toBe(200);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    await tenant.admin.patch(`/api/forms/${formId}`, { webHookSettingsJson: '{}' });
    await anonymous().patch(byToken(formId, token), { jsonData: '{"a":2}' });
    await tenant.admin.patch(`/api/forms/${formId}`, { webHookSettingsJson: both });
    await anonymous().patch(byToken(formId, token), { jsonData: '{"a":3}' });
    expect(await eventsOf(id)).toEqual([
      ['saved', 1, 'tenant', '{}'],
      ['updated', 2, null, null],
      ['saved', 3, 'form', '{"a":3}'],
    ]);
  });

  it('are reported for many submissions as for one, a restore like a save', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ webHookSettingsJson: both });
    const made = [await begin(formId, { jsonData: '{"a":1}' }), await begin(formId, { jsonData: '{"a":2}' })];
    const submissionIds = made.map(({ id }) => id);
    const change = (body: object) => started(tenant, formId, { ...body, submissionIds });
    await change({ action: 'status', status: 'read' });
    await change({ action: 'delete' });
    await change({ action: 'restore' });
    for (const id of submissionIds)
      expect((await eventsOf(id)).map(([type, revision]) => [type, revision])).toEqual([
        ['saved', 1],
        ['status_changed', 2],
        ['deleted', 3],
        ['saved', 4],
      ]);
  });

  it('keep the event of a screen-out, and tests are marked', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ webHookSettingsJson: both });
    const { id, token } = await begin(formId);
    await anonymous().patch(byToken(formId, token), { collectionOutcome: 'screen_out' });
    expect((await eventsOf(id)).map(([type]) => type)).toEqual(['saved', 'collection_status_changed']);
    const screened = (await test.events({ entityId: id! }))[1]!.data;
    expect(screened).toMatchObject({ previousCollectionStatus: 'in_progress', revision: '2' });
    const tried = await tenant.admin.post<{ id: string }>(pathOf(formId), { isTest: true });
    const [event] = await test.events({ entityId: tried.body.id });
    expect([event!.type, event!.data['isTestSubmission']]).toEqual(['submission.saved', true]);
  });
});

it('no answers cross RabbitMQ unless an endpoint asks for them', async () => {
  const seen: EventEnvelope[] = [];
  const publishing = await startHarness({ brokerUrl: vhost.url });
  try {
    await vhost.api('PUT', '/queues/:vhost/spec', { durable: true });
    await vhost.api('POST', `/bindings/:vhost/e/${exchanges.events}/q/spec`, { routing_key: 'submission.*' });
    const tenant = tenantOf(publishing);
    const life = async (members: Record<string, unknown>) =>
      lifeOf(tenant, await tenant.form(members), publishing.service.url);
    const [quiet, asked] = [await life({}), await life({ webHookSettingsJson: both })];
    await eventually(async () => {
      const messages = (await vhost.api('POST', '/queues/:vhost/spec/get', {
        count: 100,
        ackmode: 'ack_requeue_false',
        encoding: 'auto',
      })) as { payload: string }[];
      seen.push(...messages.map(({ payload }) => JSON.parse(payload) as EventEnvelope));
      return seen.filter(({ tenantId }) => tenantId === tenant.id).length >= 10;
    });
    const withAnswers = (id: string) =>
      seen.filter(({ entityId, data }) => entityId === id && 'jsonData' in data).map(({ type }) => type);
    expect(withAnswers(quiet)).toEqual(['submission.completed']);
    expect(withAnswers(asked)).toHaveLength(5);
  } finally {
    await publishing.close();
  }
});
