import type { ResponseStarted } from '@canvass/service-kit';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { gunzipSync } from 'node:zlib';
import type { SentAnswer } from './answer-check';

/**
 * Runs in every spec file (jest.preset.js): holds every answer that an operation gives, in this process and
 * during any test, to the OpenAPI document of its definition. A test in which one was wrong fails, whatever
 * it asserts itself.
 */
const channel = 'canvass.http.answer';
/** A longer body is not looked at: these are exports, whose tests look themselves. */
const maxBodyLength = 16 * 1024 * 1024;

interface Kept {
  operation: ResponseStarted['operation'];
  answer: SentAnswer;
}

let kept: Kept[] = [];

/**
 * Keeps what is written to a response; when it ends it is whole, and before that the client cannot have
 * seen it end.
 */
function watch(message: unknown): void {
  const { operation, request, response } = message as ResponseStarted;
  if (operation.answers === null) return;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const keep = (chunk: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return; // a callback
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length <= maxBodyLength) chunks.push(bytes);
  };
  const { write, end } = response;
  response.write = ((...args: unknown[]) => {
    keep(args[0]);
    return Reflect.apply(write, response, args) as boolean;
  }) as typeof write;
  response.end = ((...args: unknown[]) => {
    keep(args[0]);
    const whole = request.method !== 'HEAD' && length <= maxBodyLength;
    const { statusCode: status } = response;
    const bytes = Buffer.concat(chunks);
    const isPacked = response.getHeader('content-encoding') === 'gzip';
    const body = whole ? (isPacked ? gunzipSync(bytes) : bytes) : null;
    kept.push({ operation, answer: { status, headers: response.getHeaders(), body } });
    return Reflect.apply(end, response, args) as typeof response;
  }) as typeof end;
}

/** @throws {Error} naming operation, status and fault of each wrong answer since the last look */
async function lookAtAnswers(): Promise<void> {
  if (kept.length === 0) return;
  // Loaded only by spec files that answer something.
  const { answerFaults } = await import('./operation-answers');
  const answers = kept;
  kept = [];
  const faults = answers.flatMap(({ operation, answer }) => answerFaults(operation, answer));
  if (faults.length === 0) return;
  throw new Error(`Answers that the OpenAPI document does not know:\n${[...new Set(faults)].join('\n')}`);
}

beforeAll(() => subscribe(channel, watch));
afterEach(lookAtAnswers);
afterAll(async () => {
  unsubscribe(channel, watch);
  await lookAtAnswers();
});
