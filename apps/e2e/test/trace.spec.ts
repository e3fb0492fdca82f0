import { eventually } from '@canvass/testing';
import { readFileSync } from 'node:fs';
import { signIn, type Callers } from '../src/client';
import { startReceiver, type Receiver } from '../src/receiver';
import { exportedSpans, stackFile, type Span } from '../src/stack';

const traceId = '5b8efff798038103d269b633813fc60c';
const browser = '00f067aa0ba902b7';

describe('one trace, from the caller to the receiver of the webhook', () => {
  let callers: Callers;
  let receiver: Receiver;
  let messageId: string;
  let received: string;
  let spans: Span[];

  beforeAll(async () => {
    callers = await signIn();
    receiver = await startReceiver();
    const form = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'Traced',
      isEnabled: true,
      webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
    });
    await receiver.trust(callers.admin);
    const { gatewayUrl } = await stackFile();
    const answer = await fetch(`${gatewayUrl}/api/forms/${form.id}/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${browser}-01` },
      body: JSON.stringify({ isComplete: true }),
    });
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as { id: string };
    const { message, request } = await receiver.message(({ Payload }) => Payload['submissionId'] === id);
    messageId = message.Id;
    received = String(request.headers['traceparent']);
    spans = await eventually(async () => {
      const found = (await exportedSpans()).filter((span) => span.traceId === traceId);
      return found.some(({ name }) => name.startsWith('POST submission_completed')) &&
        found.some(({ service }) => service === 'gateway') &&
        found.length >= 5
        ? found
        : Promise.reject(new Error(`only ${found.map(({ name }) => name).join(', ')}`));
    });
  });
  afterAll(() => receiver.sink.close());

  const span = (service: string, name: string): Span => {
    const found = spans.filter((each) => each.service === service && each.name.startsWith(name));
    expect(found).toHaveLength(1);
    return found[0]!;
  };

  it('is exported with the span of each process below the span of its caller', () => {
    const gateway = span('gateway', 'POST /api/forms/');
    const service = span('submissions-svc', 'POST /api/forms/');
    const publication = span('submissions-svc', 'publish submission.completed');
    const consumption = span('webhook-relay-svc', 'process submission.completed');
    const attempt = span('webhook-relay-svc', 'POST submission_completed');
    expect(gateway.parentSpanId).toBe(browser);
    expect(service.parentSpanId).toBe(gateway.spanId);
    for (const below of [publication, consumption, attempt]) expect(below.parentSpanId).toBe(service.spanId);
    expect(spans).toHaveLength(5);
    expect(received).toBe(`00-${traceId}-${attempt.spanId}-01`);
  });

  it('joins the log lines of all processes, and the message id joins the lines of the webhook', async () => {
    const lines = await eventually(async () => {
      const { logs } = await stackFile();
      const found = ['gateway', 'submissions-svc', 'webhook-relay-svc'].map((name) =>
        readFileSync(`${logs}/${name}.log`, 'utf8')
          .split('\n')
          .filter((line) => line.includes(traceId))
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      );
      if (found.some((each) => each.length === 0)) throw new Error('not all have written');
      return found;
    });
    const [gateway, service, relay] = lines;
    expect(gateway).toEqual([expect.objectContaining({ message: 'request', status: 201 })]);
    expect(service).toEqual([
      expect.objectContaining({ message: 'request', status: 201, requestId: gateway![0]!['requestId'] }),
    ]);
    expect(relay).toEqual([
      expect.objectContaining({
        message: 'attempt',
        messageId,
        number: 1,
        outcome: 'success',
        httpStatus: 200,
      }),
    ]);
  });
});
