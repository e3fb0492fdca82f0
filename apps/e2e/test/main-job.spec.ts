import { clientOf, eventually } from '@canvass/testing';
import { signIn, type Callers } from '../src/client';
import { healthPaths, otherStack, type OtherStack } from '../src/other-stack';
import { startReceiver, type Receiver } from '../src/receiver';

interface Submission {
  id: string;
  token: string;
  isComplete: boolean;
  collectionStatus: string;
  submitterId: string | null;
  submitterDisplayId: string | null;
  submitterProfileSnapshot: Record<string, string> | null;
  submittedBy: string | null;
  revision: string;
}

let other: OtherStack;
beforeAll(async () => void (other = await otherStack()));
afterAll(() => other.stop());

describe.each<[string, () => Promise<Callers>]>([
  ['on the stack', signIn],
  ['without identity-svc, with job queues', () => Promise.resolve(other)],
])('from a respondent to a webhook, %s', (_stack, start) => {
  let callers: Callers;
  let receiver: Receiver;
  let formId: string;

  beforeAll(async () => {
    callers = await start();
    receiver = await startReceiver();
    const form = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'Main job',
      isEnabled: true,
      webHookSettingsJson: receiver.settings(
        ['SubmissionCompleted', 'SubmissionCollectionStatusChanged', 'FormUpdated'],
        {
          Type: 'ApiKey',
          ApiKeyHeader: 'X-Api-Key',
          ApiKey: 'the key of this receiver',
        },
      ),
    });
    formId = form.id;
    await receiver.trust(callers.admin);
  });
  afterAll(() => receiver.sink.close());

  const submit = (body: object) =>
    callers.anonymous.expect<Submission>(201, 'POST', `/api/forms/${formId}/submissions`, body);
  const completed = (id: string) =>
    receiver.message(
      ({ EventName, Payload }) => EventName === 'submission_completed' && Payload['submissionId'] === id,
    );

  it('delivers a public submission, signed, with the headers of the contract', async () => {
    const begun = await submit({ currentPage: 1, jsonData: '{"answer": "ü"}' });
    expect(begun).toMatchObject({ isComplete: false, submitterId: null });
    const path = `/api/forms/${formId}/submissions/by-token/${begun.token}`;
    await callers.anonymous.expect(200, 'PATCH', path, { isComplete: true });

    const { message, request } = await completed(begun.id);
    expect(message).toMatchObject({
      EventName: 'submission_completed',
      Action: 'updated',
      Payload: {
        submissionId: begun.id,
        formId,
        isComplete: true,
        jsonData: '{"answer": "ü"}',
        revision: '2',
      },
    });
    expect(message.Payload).not.toHaveProperty('token');
    expect(request.headers).toMatchObject({
      'x-service-event': 'submission_completed',
      'x-service-entity': 'submission',
      'x-service-action': 'updated',
      'x-service-hook-id': message.Id,
      'webhook-id': message.Id,
      'x-api-key': 'the key of this receiver',
      'content-type': 'application/json',
    });
    expect(request.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-/);
  });

  it('sends the same bytes under the same id again after a 500', async () => {
    let refusals = 0;
    receiver.sink.respond(() => (refusals++ === 0 ? { status: 500 } : { status: 200 }));
    const submission = await submit({ isComplete: true });
    const tries = await eventually(
      () => {
        const found = receiver
          .verified()
          .filter(({ message }) => message.Payload['submissionId'] === submission.id);
        return found.length >= 2 && found;
      },
      { message: 'a second try' },
    );
    if (tries === false) throw new Error('no second try');
    expect(tries).toHaveLength(2);
    expect(tries[1]!.request.body.equals(tries[0]!.request.body)).toBe(true);
    expect(tries[1]!.message.Id).toBe(tries[0]!.message.Id);

    const log = await eventually(async () => {
      const path = `/api/webhooks/deliveries?entityId=${submission.id}`;
      const { items } = await callers.admin.expect<{ items: { id: string; status: string }[] }>(
        200,
        'GET',
        path,
      );
      if (items[0]?.status !== 'delivered') throw new Error(JSON.stringify(items));
      return items[0];
    });
    const delivery = await callers.admin.expect<{ attempts: { outcome: string }[] }>(
      200,
      'GET',
      `/api/webhooks/deliveries/${log.id}`,
    );
    expect(delivery.attempts).toHaveLength(2);
    receiver.sink.respond(() => ({ status: 200 }));
  });

  it('accepts submissions on behalf of others only from an integration', async () => {
    const body = {
      isComplete: true,
      currentPage: 2,
      jsonData: '{}',
      metadata: '{}',
      submitter: {
        externalSubjectId: 'crm-1',
        displayId: 'Ada',
        profile: { department: 'R&D', secret: 'x' },
      },
    };
    for (const prefix of ['', '/api']) {
      const path = `${prefix}/forms/${formId}/submissions/onbehalf`;
      const submission = await callers.integration.expect<Submission>(201, 'POST', path, body);
      expect(submission).toMatchObject({ isComplete: true, submitterDisplayId: 'Ada' });
      expect(submission.submittedBy).toBe(submission.submitterId);
      expect(submission.submitterProfileSnapshot).not.toHaveProperty('secret');
      await completed(submission.id);
      expect((await callers.anonymous.call('POST', path, body)).status).toBe(401);
    }
  });

  it('resolves a signed-in respondent to the same submitter each time', async () => {
    const path = `/api/forms/${formId}/submissions`;
    const first = await callers.admin.expect<Submission>(201, 'POST', path, { jsonData: '{}' });
    const second = await callers.admin.expect<Submission>(201, 'POST', path, { jsonData: '{}' });
    expect(first.submitterId).toMatch(/^\d+$/);
    expect(second.submitterId).toBe(first.submitterId);
  });

  it('drops a submitter that a public client tries to inject', async () => {
    const submission = await submit({
      submitter: { externalSubjectId: 'boss', displayId: 'The boss' },
      submitterId: '1',
    });
    expect(submission.submitterId).toBeNull();
  });

  it('publishes a screen-out and no completion', async () => {
    const submission = await submit({ collectionOutcome: 'screen_out' });
    expect(submission).toMatchObject({ isComplete: false, collectionStatus: 'screen_out' });
    const { message } = await receiver.message(({ Payload }) => Payload['submissionId'] === submission.id);
    expect(message.EventName).toBe('submission_collection_status_changed');
    expect(message.Payload).toHaveProperty('previousCollectionStatus');
  });

  it('orders the events of a form by revision', async () => {
    for (const description of ['one', 'two', 'three']) {
      await callers.admin.expect(200, 'PATCH', `/api/forms/${formId}`, { description });
    }
    const { message } = await receiver.message(({ Payload }) => Payload['description'] === 'three');
    expect(message).toMatchObject({ EventName: 'form_updated', Payload: { formId, revision: '4' } });
  });
});

describe('a stack without identity-svc, with job queues and other health paths', () => {
  interface Delivery {
    id: string;
    endpointId: string;
    status: string;
  }
  const enabled = { name: 'F', isEnabled: true };
  const newForm = async (members: object = {}) =>
    (await other.admin.expect<{ id: string }>(201, 'POST', '/api/forms', { ...enabled, ...members })).id;

  it('retries, gives up and resends for each endpoint separately', async () => {
    const [well, ill] = [await startReceiver(), await startReceiver()];
    const webHookSettingsJson = well.settings(['SubmissionCompleted'], { Type: 'None' }, [ill]);
    const formId = await newForm({ webHookSettingsJson });
    await Promise.all([well.trust(other.admin), ill.trust(other.admin)]);
    const since = new Date(Date.now() - 60_000).toISOString();
    const deliveries = (status: string, count: number) =>
      eventually(async () => {
        const path = `/api/webhooks/deliveries?formId=${formId}&status=${status}`;
        const { items } = await other.admin.expect<{ items: Delivery[] }>(200, 'GET', path);
        expect(items).toHaveLength(count);
        return items;
      });
    const giveUp = async () => {
      ill.sink.respond(() => ({ status: 500 }));
      await other.anonymous.expect(201, 'POST', `/api/forms/${formId}/submissions`, { isComplete: true });
      const [dead] = await deliveries('dead', 1);
      ill.sink.respond(() => ({ status: 200 }));
      return dead!;
    };

    const { id } = await giveUp();
    await other.admin.expect(202, 'POST', `/api/webhooks/deliveries/${id}/resend`);
    await deliveries('delivered', 2);
    const { endpointId } = await giveUp();
    await other.admin.expect(202, 'POST', `/api/webhooks/endpoints/${endpointId}/recover`, { since });
    await deliveries('delivered', 4);
    const sent = (receiver: Receiver) => receiver.verified().map(({ message }) => message.Id);
    const ids = sent(well);
    expect(new Set(ids).size).toBe(2);
    expect(ids).toHaveLength(2);
    expect(sent(ill)).toEqual([...Array<string>(4).fill(ids[0]!), ...Array<string>(4).fill(ids[1]!)]);
    await Promise.all([well.sink.close(), ill.sink.close()]);
  });

  it('accepts a user of the identity provider as a submitter', async () => {
    const path = `/api/forms/${await newForm()}/submissions`;
    const made = await other.respondent.expect<Submission>(201, 'POST', path, {});
    expect(made).toMatchObject({
      submitterDisplayId: 'Ada Lovelace',
      submitterProfileSnapshot: { department: 'Analysis' },
    });
    expect(await other.admin.expect(200, 'GET', `/api/submitters/${made.submitterId}`)).toMatchObject({
      authProvider: 'Company',
      externalSubjectId: 'ada',
      appUserId: null,
    });
  });

  it('grants permissions by mapped roles, within the tenant of the token, only to listed issuers', async () => {
    const formId = await newForm();
    const read = (who: 'respondent' | 'stranger' | 'unlisted' | 'ownProvider') =>
      other[who].call('GET', `/api/forms/${formId}`);
    expect(await read('respondent')).toMatchObject({ status: 403, body: { errorCode: 'permission_denied' } });
    expect(await read('stranger')).toMatchObject({ status: 404 });
    for (const who of ['unlisted', 'ownProvider'] as const) {
      expect(await read(who)).toMatchObject({ status: 401, body: { errorCode: 'invalid_token' } });
    }
    expect((await other.anonymous.call('POST', '/api/auth/login', {})).status).toBe(404);
  });

  it('serves the data lists of a form', async () => {
    const list = await other.admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', { name: 'L' });
    const items = [{ value: 'a', labels: { default: 'Apple' } }];
    await other.admin.expect(200, 'PUT', `/api/data-lists/${list.id}/import`, { items });
    const path = `/api/public/forms/${await newForm({ dataListIds: [list.id] })}`;
    const { token } = await other.anonymous.expect<{ token: string }>(200, 'POST', `${path}/access-tokens`);
    const found = await clientOf(other.gatewayUrl, token).expect(
      200,
      'GET',
      `${path}/data-lists/${list.id}/search`,
    );
    expect(found).toMatchObject({ items });
  });

  it('is Healthy at the configured paths and has no other health paths', async () => {
    const names = Object.keys(healthPaths) as (keyof typeof healthPaths)[];
    for (const name of names) {
      const { url } = other.file.services[name];
      const path = healthPaths[name];
      await eventually(async () => expect((await fetch(url + path)).status).toBe(200));
      for (const probe of ['live', 'ready', 'ui']) {
        expect([name, probe, (await fetch(`${url}${path}/${probe}`)).status]).toEqual([name, probe, 200]);
      }
      for (const usual of ['/health', '/health/detail', '/alive', '/ready']) {
        expect([name, usual, (await fetch(url + usual)).status]).toEqual([name, usual, 404]);
      }
    }
    const detail = `${other.gatewayUrl}${healthPaths.gateway}/detail`;
    const report = await eventually(async () => {
      const found = (await (await fetch(detail)).json()) as { status: string; checks: { name: string }[] };
      expect(found.status).toBe('Healthy');
      return found;
    });
    const services = report.checks.map(({ name }) => name).filter((name) => name.endsWith('-svc'));
    expect(services.sort()).toEqual(['datalists-svc', 'submissions-svc', 'webhook-relay-svc']);
  });

  it('has sent deliveries through the job queue', async () => {
    await eventually(async () => expect(await other.jobsTaken()).toBeGreaterThan(0));
  });
});
