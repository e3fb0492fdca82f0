import { eventually } from '@canvass/testing';
import { signIn, type Callers } from '../src/client';
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

describe('from a respondent to a webhook', () => {
  let callers: Callers;
  let receiver: Receiver;
  let formId: string;

  beforeAll(async () => {
    callers = await signIn();
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

  const completed = (id: string) =>
    receiver.message(
      ({ EventName, Payload }) => EventName === 'submission_completed' && Payload['submissionId'] === id,
    );

  it('delivers a public submission, signed, with the headers of the contract', async () => {
    const begun = await callers.anonymous.expect<Submission>(
      201,
      'POST',
      `/api/forms/${formId}/submissions`,
      {
        currentPage: 1,
        jsonData: '{"answer": "ü"}',
      },
    );
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
    const submission = await callers.anonymous.expect<Submission>(
      201,
      'POST',
      `/api/forms/${formId}/submissions`,
      {
        isComplete: true,
      },
    );
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

  it('takes submissions on behalf of others from an integration, and from nobody else', async () => {
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

  it('knows a respondent who is signed in, and the same one again', async () => {
    const path = `/api/forms/${formId}/submissions`;
    const first = await callers.admin.expect<Submission>(201, 'POST', path, { jsonData: '{}' });
    const second = await callers.admin.expect<Submission>(201, 'POST', path, { jsonData: '{}' });
    expect(first.submitterId).toMatch(/^\d+$/);
    expect(second.submitterId).toBe(first.submitterId);
  });

  it('drops a submitter that a public client tries to inject', async () => {
    const submission = await callers.anonymous.expect<Submission>(
      201,
      'POST',
      `/api/forms/${formId}/submissions`,
      {
        submitter: { externalSubjectId: 'boss', displayId: 'The boss' },
        submitterId: '1',
      },
    );
    expect(submission.submitterId).toBeNull();
  });

  it('tells of a screen-out, and not of a completion', async () => {
    const submission = await callers.anonymous.expect<Submission>(
      201,
      'POST',
      `/api/forms/${formId}/submissions`,
      {
        collectionOutcome: 'screen_out',
      },
    );
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
