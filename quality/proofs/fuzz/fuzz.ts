import { Pool } from 'undici';
import type { OpenApiDocument } from '@canvass/openapi';
import { asCurl } from './as-curl';
import { Judge } from './judge';
import { operationsOf } from './operations';
import { Requests, type FuzzRequest } from './requests';
import { makeFixtures, makeWorld, type Creator, type World } from './world';

export interface FuzzOptions extends Creator {
  seed: string;
  count: number;
  /** Number of the first request. */
  from?: number;
  /** Told after each batch. */
  progress?(sent: number, faults: number): void;
}

interface Fault {
  /** What is wrong; the operation and what was answered. */
  what: string;
  /** The request as a command. */
  curl: string;
}

export interface FuzzResult {
  sent: number;
  answered: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  operations: number;
  /** Operations that never succeeded, so that only their refusals were seen, with these by status. */
  onlyRefused: string[];
  faults: Fault[];
  /** Answers of 503 and 504, in a line each: a machine that is short of time gives some. */
  busy: string[];
}

/** Things are made anew for so many requests, because requests change them. */
const batch = 300;
const lanes = 6;
/** An answer that takes longer counts as a connection that hangs. */
const patienceMs = 120_000;

/** Sends requests over all operations of the document in turn, and judges each answer. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { gatewayUrl, seed, count, from = 0 } = options;
  const document = (await (await fetch(`${gatewayUrl}/api/openapi.json`)).json()) as OpenApiDocument;
  const operations = operationsOf(document);
  const judge = new Judge(document);
  const fixtures = await makeFixtures(options);
  const pool = new Pool(gatewayUrl, {
    connections: lanes,
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  });
  const byOperation: Record<string, Record<string, number>> = {};
  const result: FuzzResult = {
    sent: 0,
    answered: 0,
    statuses: {},
    faults: [],
    busy: [],
    operations: operations.length,
    onlyRefused: [],
  };

  const send = async (request: FuzzRequest, world: World) => {
    const { operationId } = request;
    result.sent += 1;
    const told = (what: string) =>
      result.faults.push({ what: `${operationId}: ${what}`, curl: asCurl(request, world) });
    try {
      const answer = await exchange(pool, request);
      result.answered += 1;
      result.statuses[answer.status] = (result.statuses[answer.status] ?? 0) + 1;
      const ofOperation = (byOperation[operationId] ??= {});
      ofOperation[answer.status] = (ofOperation[answer.status] ?? 0) + 1;
      const body = answer.body.toString().slice(0, 300);
      if ([503, 504].includes(answer.status)) result.busy.push(`${operationId}: ${body}`);
      const faults = judge.faultsOf(request, answer);
      if (faults.length > 0) told(`${answer.status}, ${faults.join(', ')}; ${body}`);
    } catch (error) {
      told(`no answer: ${(error as Error).message}`);
    }
  };

  for (let begin = from; begin < from + count; begin += batch) {
    const world = await makeWorld(options, fixtures);
    const requests = new Requests(seed, document.components.schemas, world);
    const end = Math.min(begin + batch, from + count);
    let next = begin;
    const lane = async () => {
      while (next < end) {
        const number = next++;
        await send(requests.make(operations[number % operations.length]!, number), world);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    options.progress?.(result.sent, result.faults.length);
  }
  await pool.close();
  result.onlyRefused = Object.entries(byOperation)
    .filter(([, statuses]) => !Object.keys(statuses).some((status) => status.startsWith('2')))
    .map(([operationId, statuses]) => `${operationId} ${JSON.stringify(statuses)}`);
  return result;
}

async function exchange(pool: Pool, { method, target, headers, body }: FuzzRequest) {
  const response = await pool.request({
    method: method as 'GET',
    path: target,
    headers,
    body,
    signal: AbortSignal.timeout(patienceMs),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: Buffer.from(await response.body.arrayBuffer()),
  };
}
