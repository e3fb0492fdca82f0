import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { Pool } from 'undici';
import type { OpenApiDocument } from '@canvass/openapi';
import { judgeOf } from './judge';
import { operationsOf, type FuzzedOperation } from './operations';
import { requestsOf, type FuzzRequest } from './requests';
import { createFixtures, createWorld, type Accounts, type World } from './world';

export interface FuzzOptions extends Accounts {
  seed: string;
  count: number;
  /** Called after each round over all operations. */
  progress?(sent: number, faults: number): void;
}

export interface FuzzResult {
  sent: number;
  answered: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  operations: number;
  /** Operations that never succeeded, with their answers by status. */
  onlyRefused: string[];
  /** What is wrong, with the smallest request for which it is. */
  faults: string[];
  /** Answers of 503 and 504, one line each; a machine with a high load gives some. */
  busy: string[];
}

/**
 * Requests of one operation in one round. Entities are created for each round, because requests change them.
 */
const perRound = 4;
const lanes = 6;
/** A request without an answer for this long fails. */
const answerMs = 120_000;

/**
 * Sends requests over all operations of the document, and judges each answer. Faults are shrunk to a small
 * request.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { gatewayUrl, seed, count } = options;
  const document = (await (await fetch(`${gatewayUrl}/api/openapi.json`)).json()) as OpenApiDocument;
  const operations = operationsOf(document);
  const judge = judgeOf(document);
  const fixtures = await createFixtures(options);
  const timeouts = { headersTimeout: answerMs, bodyTimeout: answerMs };
  const pool = new Pool(gatewayUrl, { connections: lanes, ...timeouts });
  const statusesOf = new Map(
    operations.map(({ operationId }) => [operationId, {} as Record<string, number>]),
  );
  const result: FuzzResult = {
    sent: 0,
    answered: 0,
    statuses: {},
    operations: operations.length,
    onlyRefused: [],
    faults: [],
    busy: [],
  };

  /** Throws if the answer is a fault. */
  const sendAndJudge = async (request: FuzzRequest, statuses: Record<string, number>) => {
    const { operationId } = request;
    result.sent += 1;
    const answer = await exchange(pool, request);
    const { status } = answer;
    result.answered += 1;
    for (const counts of [result.statuses, statuses]) counts[status] = (counts[status] ?? 0) + 1;
    const body = answer.body.toString().slice(0, 300);
    if ([503, 504].includes(status)) result.busy.push(`${operationId}: ${body}`);
    const faults = judge(request, answer);
    if (faults.length > 0) throw new Error(`${status}, ${faults.join(', ')}; ${body}`);
  };

  const check = async (operation: FuzzedOperation, round: number, numRuns: number, world: World) => {
    const { operationId } = operation;
    const requests = requestsOf(operation, document.components.schemas, world);
    const property = fc.asyncProperty(requests, (request) =>
      sendAndJudge(request, statusesOf.get(operationId)!),
    );
    const fcSeed = numberOf(`${seed}/${round}/${operationId}`);
    const { counterexample, errorInstance } = await fc.check(property, { seed: fcSeed, numRuns });
    if (counterexample !== null)
      result.faults.push(`${operationId}: ${String(errorInstance)}\n      ${textOf(counterexample[0])}`);
  };

  for (let round = 0; result.sent < count; round += 1) {
    const world = await createWorld(options, fixtures);
    const left = count - result.sent;
    const waiting = operations.map((operation, n) => ({
      operation,
      runs: Math.min(perRound, Math.floor(left / operations.length) + (n < left % operations.length ? 1 : 0)),
    }));
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        if (next.runs > 0) await check(next.operation, round, next.runs, world);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    options.progress?.(result.sent, result.faults.length);
  }
  await pool.close();
  const refused = [...statusesOf].filter(
    ([, statuses]) => !Object.keys(statuses).some((each) => each[0] === '2'),
  );
  result.onlyRefused = refused.map(([operationId, statuses]) => `${operationId} ${JSON.stringify(statuses)}`);
  return result;
}

const numberOf = (text: string): number => createHash('sha256').update(text).digest().readInt32BE();

/** Returns a request for a reader, without what its body was made from. */
const textOf = ({ method, target, headers, body }: FuzzRequest): string =>
  JSON.stringify({ method, target, headers, body: body?.toString('latin1') }).slice(0, 3_000);

async function exchange(pool: Pool, { method, target, headers, body }: FuzzRequest) {
  const response = await pool.request({
    method: method as 'GET',
    path: target,
    headers,
    body,
    signal: AbortSignal.timeout(answerMs),
  });
  const isEndless = response.headers['content-type'] === 'text/event-stream';
  const bytes = isEndless ? await firstPart(response.body) : Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers, body: bytes };
}

/** The first part of a stream that has no end. Leaving the loop closes the stream. */
async function firstPart(body: AsyncIterable<Buffer>): Promise<Buffer> {
  for await (const part of body) return part;
  return Buffer.alloc(0);
}
