import { eventually } from '@canvass/testing';
import { signIn, type Callers } from '../src/client';
import { startReceiver, type Receiver } from '../src/receiver';

interface Submission {
  id: string;
  token: string;
  jsonData: string;
  metadata: string;
}

const MiB = 1024 * 1024;
const limit = 4 * MiB;

/** JSON text of this many bytes that doubles in size with each escaping: `"\"\"\"…"` */
const quotes = (bytes: number): string => `"${'\\"'.repeat(bytes / 2 - 1)}"`;
/** SurveyJS stores a file as a data URL in base64. */
const file = (bytes: number): string => {
  const frame = '{"photo":"data:image/png;base64,"}';
  const base64 = Buffer.from(Array.from({ length: bytes }, (_, n) => n % 251)).toString('base64');
  return frame.replace('"}', `${base64.slice(0, bytes - frame.length)}"}`);
};

/** Answers up to the limit pass from the request of the respondent to the request of the webhook. */
describe('answers of 4 MiB', () => {
  let callers: Callers;
  let receiver: Receiver;
  let formId: string;

  beforeAll(async () => {
    callers = await signIn();
    receiver = await startReceiver();
    const form = { name: 'Large', isEnabled: true };
    const webHookSettingsJson = receiver.settings(['SubmissionCompleted']);
    const created = { ...form, webHookSettingsJson };
    formId = (await callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', created)).id;
    await receiver.trust(callers.admin);
  });
  afterAll(() => receiver.sink.close());

  const list = () => `/api/forms/${formId}/submissions`;
  const begin = () => callers.anonymous.expect<Submission>(201, 'POST', list(), {});
  const writes: [string, number, (body: object) => Promise<{ status: number; body: unknown }>][] = [
    ['a create', 201, (body) => callers.anonymous.call('POST', list(), body)],
    [
      'a create on behalf',
      201,
      (body) => callers.integration.call('POST', `/forms/${formId}/submissions/onbehalf`, body),
    ],
    ['PUT', 200, async (body) => callers.admin.call('PUT', `${list()}/${(await begin()).id}`, body)],
    ['PATCH', 200, async (body) => callers.admin.call('PATCH', `${list()}/${(await begin()).id}`, body)],
    [
      'PATCH by token',
      200,
      async (body) => callers.anonymous.call('PATCH', `${list()}/by-token/${(await begin()).token}`, body),
    ],
  ];

  it.each(writes)(
    'are accepted by %s and arrive at the webhook byte for byte',
    async (_what, success, write) => {
      const answers = { jsonData: quotes(limit), metadata: quotes(MiB) };
      const { status, body } = await write({ ...answers, isComplete: true });
      expect(status).toBe(success);
      const { id } = body as Submission;
      const { message } = await receiver.message(({ Payload }) => Payload['submissionId'] === id);
      const { jsonData, metadata } = message.Payload as unknown as Submission;
      expect([jsonData === answers.jsonData, metadata === answers.metadata]).toEqual([true, true]);
    },
  );

  it.each(writes)(
    'with one more byte are a 400 of %s that names the field and the limit',
    async (_what, _s, write) => {
      const { status, body } = await write({ jsonData: `${quotes(limit)} ` });
      expect([status, (body as { errors: object }).errors]).toEqual([
        400,
        { jsonData: ['must be at most 4194304 bytes of UTF-8'] },
      ]);
    },
  );

  it('hold a file in the format of SurveyJS, and every attempt of the webhook has the same bytes', async () => {
    let refusals = 0;
    receiver.sink.respond(() => (refusals++ === 0 ? { status: 500 } : { status: 200 }));
    const jsonData = file(limit);
    expect(Buffer.byteLength(jsonData)).toBe(limit);
    const { id } = await callers.anonymous.expect<Submission>(201, 'POST', list(), {
      jsonData,
      isComplete: true,
    });
    const tries = await eventually(
      () => {
        const found = receiver.verified().filter(({ message }) => message.Payload['submissionId'] === id);
        if (found.length < 2) throw new Error(`${found.length} tries`);
        return found;
      },
      { timeoutMs: 120_000 },
    );
    expect(tries[0]!.message.Payload['jsonData'] === jsonData).toBe(true);
    expect(tries[1]!.request.body.equals(tries[0]!.request.body)).toBe(true);
  });

  it.each([
    ['the service', 17, 'The body may have 16777216 bytes at most.'],
    ['the gateway', 33, 'The body is larger than the 33554432 bytes this resource takes.'],
  ])('a body beyond the limit of %s is a 413 that names it', async (_whose, mebibytes, detail) => {
    const body = { jsonData: `"${'x'.repeat(mebibytes * MiB)}"` };
    const answer = await callers.anonymous.call('POST', list(), body);
    expect([answer.status, answer.body]).toEqual([
      413,
      expect.objectContaining({ errorCode: 'payload_too_large', detail }),
    ]);
  });
});
