/** Generated requests, most of them invalid or unusual, over all operations of the OpenAPI document. */
import type { OpenApiDocument } from '@canvass/openapi';
import { createRandom } from '@canvass/testing';
import { Pool } from 'undici';
import { signIn, type Callers } from '../client';
import { documentedOperations } from '../documented-operations';
import { stackFile } from '../stack';
import { walkedTenant } from '../walked-tenant';
import { judgeOf } from './judge';
import { operationsOf, requestOf, type FuzzRequest, type World } from './requests';

/** Requests of one operation in one round. Each round has entities of its own, as requests change them. */
const perRound = 5;
const lanes = 6;
/** A request without an answer for this long fails. */
const answerMs = 120_000;
const settings = '/api/tenant/webhook-settings';

/**
 * Sends about `count` requests over all operations, the same for the same seed. It uses the other tenant,
 * because the requests change data.
 *
 * @returns what is wrong, one text each: an answer that is a failure or not documented, operations without
 * requests, too few successes, a process that ended
 */
export async function fuzz(seed: string, count: number): Promise<string[]> {
  const callers = await signIn();
  const { gatewayUrl, services } = await stackFile();
  const before = await callers.stranger.expect(200, 'GET', settings);
  const document = (await (await fetch(`${gatewayUrl}/api/openapi.json`)).json()) as OpenApiDocument;
  const operations = operationsOf(document);
  const judge = judgeOf(document);
  const pool = new Pool(gatewayUrl, { connections: lanes, headersTimeout: answerMs, bodyTimeout: answerMs });
  const [sent, succeeded, faults] = [new Set<string>(), new Set<string>(), [] as string[]];
  let busy = 0;

  const sendAndJudge = async (request: FuzzRequest) => {
    const { operationId, method, target, headers, body } = request;
    const answer = await exchange(pool, request);
    if (answer.status < 300) succeeded.add(operationId);
    // A machine with a high load gives some.
    if ([503, 504].includes(answer.status)) busy += 1;
    const found = judge(request, answer);
    if (found.length === 0) return;
    const text = JSON.stringify({ method, target, headers, body: body?.toString('latin1') }).slice(0, 3_000);
    faults.push(
      `${operationId}: ${answer.status}, ${found.join()}; ${String(answer.body).slice(0, 300)} ${text}`,
    );
  };

  for (let round = 0; round * operations.length * perRound < count; round += 1) {
    const world = await createWorld(callers);
    const waiting = [...operations];
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const random = createRandom(`${seed}/${round}/${next.operationId}`);
        sent.add(next.operationId);
        for (let n = 0; n < perRound; n += 1) await sendAndJudge(requestOf(next, world, random));
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }
  await pool.close();
  await callers.stranger.expect(200, 'PUT', settings, before);
  if (busy > count / 100) faults.push(`${busy} answers of 503 and 504`);
  for (const id of documentedOperations().keys()) if (!sent.has(id)) faults.push(`${id} got no request`);
  // Random requests seldom fit the operations that need a certain state, such as a job that runs.
  if (succeeded.size < 0.6 * sent.size) faults.push(`${succeeded.size} of ${sent.size} operations succeeded`);
  if (JSON.stringify((await stackFile()).services) !== JSON.stringify(services))
    faults.push('a process ended');
  return faults;
}

/** What requests are about, and who sends them. A DELETE gets ids of entities created for that. */
async function createWorld(callers: Callers): Promise<World> {
  const own = { ...callers, admin: callers.stranger };
  const { tenantId } = await own.admin.get<{ tenantId: string }>('/api/auth/me');
  const [kept, doomed] = [await walkedTenant(own, tenantId), await walkedTenant(own, tenantId)];
  const { form, list, submission } = kept.ids;
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const { serviceAccount } = (await stackFile()).demo;
  return {
    tokens: {
      admin: kept.tokens.get('Admin')!,
      leaving: doomed.tokens.get('Admin')!,
      viewer: kept.tokens.get('Viewer')!,
      stranger: callers.admin.token!,
      formToken: kept.formToken,
      submissionToken: kept.submissionToken,
    },
    proof: kept.proof,
    fill: (path, method) => {
      const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
      const filled = (method === 'DELETE' ? doomed : kept).fill(route) ?? route.replaceAll(/:\w+/g, '1');
      return filled.split('?')[0]!;
    },
    samples: {
      tenant: [tenantId],
      q: [kept.marker, form],
      id: [form, list, submission],
      ids: [[submission]],
      dataListIds: [[], [list]],
      webHookSettingsJson: [null, '{}'],
      jsonData: ['{"a":1}', '[]', '{"città":"Łódź"}'],
      scopeId: [form, null],
      filter: [[], ['isComplete:true'], ['id>1']],
      limit: [1, 20],
      page: [1, 2],
      since: [hourAgo],
      from: [hourAgo],
      to: [new Date().toISOString()],
      grant_type: ['client_credentials'],
      client_id: [serviceAccount.clientId],
      client_secret: [serviceAccount.clientSecret],
      values: [[kept.marker]],
      locale: ['de', 'en', 'fr'],
      defaultLocale: ['de', 'en'],
    },
  };
}

async function exchange(pool: Pool, { method, target, headers, body }: FuzzRequest) {
  const response = await pool.request({
    method: method as 'GET',
    path: target,
    headers,
    body,
    signal: AbortSignal.timeout(answerMs),
  });
  const isEndless = response.headers['content-type'] === 'text/event-stream';
  const parts: Buffer[] = [];
  for await (const part of response.body as AsyncIterable<Buffer>) {
    parts.push(part);
    if (isEndless) break; // which closes the stream
  }
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) };
}
