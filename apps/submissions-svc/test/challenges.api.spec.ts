import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { challengeKeys, newChallenge } from '../src/challenges';
import {
  internalSecret,
  newEncryptionKey,
  startHarness,
  tenantOf,
  type Harness,
  type Reply,
} from './harness';
import { byToken, pathOf, submissionCalls, together } from './submission-calls';

interface Challenge {
  type: string;
  challenge: string;
  bits: number;
  expiresAt: string;
  siteKey: string | null;
}

type VerifierReply = { status: number; body: string } | 'nothing';

const bits = 8;

/** The response of an honest form runtime, or with `isWrong` one without enough zeros. */
function solve(challenge: string, isWrong = false): string {
  for (let number = 0; ; number += 1) {
    const response = `${challenge}.${number}`;
    const zeros = Math.clz32(createHash('sha256').update(response).digest().readUInt32BE(0));
    if (zeros >= bits !== isWrong) return response;
  }
}

const answering = (response: string) => ({ 'x-challenge-response': response });
const codeOf = ({ status, body }: Reply) => [status, body['errorCode']];
const required = [403, 'challenge_required'];

describe('without a challenge in the configuration', () => {
  let test: Harness;
  beforeAll(async () => {
    test = await startHarness();
  });
  afterAll(() => test.close());
  const { anonymous } = submissionCalls(() => test);

  it('says so, and creates need no response', async () => {
    const formId = await tenantOf(test).form();
    const { status, body } = await anonymous().post(`/api/public/forms/${formId}/challenges`);
    expect([status, body]).toEqual([
      200,
      { type: 'none', challenge: null, bits: null, expiresAt: null, siteKey: null },
    ]);
    expect((await anonymous().post(pathOf(formId), {})).status).toBe(201);
  });
});

describe('a proof of work', () => {
  let test: Harness;
  let second: Harness;
  beforeAll(async () => {
    const options = {
      publicForms: { Challenge: 'proof-of-work', ProofOfWork: { Bits: bits } },
      encryptionKeys: [newEncryptionKey('k1')],
    };
    test = await startHarness(options);
    second = await startHarness({ ...options, databaseOf: test.databaseUrl });
  });
  afterAll(async () => {
    await second.close();
    await test.close();
  });
  const { anonymous } = submissionCalls(() => test);
  const elsewhere = submissionCalls(() => second);
  const begin = async (formId: string) =>
    (await anonymous().post<Challenge>(`/api/public/forms/${formId}/challenges`)).body;

  it('opens one anonymous create; callers with a token and saves need none', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    expect(codeOf(await anonymous().post(pathOf(formId), {}))).toEqual(required);
    const { type, challenge } = await begin(formId);
    expect(type).toBe('proof-of-work');
    const made = await anonymous().post(pathOf(formId), {}, answering(solve(challenge)));
    expect(made.status).toBe(201);
    const saved = byToken(formId, made.body['token'] as string);
    expect((await anonymous().patch(saved, { isComplete: true })).status).toBe(200);
    expect((await tenant.user().post(pathOf(formId), {})).status).toBe(201);
    expect((await tenant.external().post(pathOf(formId), {})).status).toBe(201);
    expect((await tenant.as('Integration').post(`${pathOf(formId)}/onbehalf`, {})).status).toBe(201);
  });

  it('is solved by the example of docs/form-runtime.md', async () => {
    const formId = await tenantOf(test).form();
    const page = readFileSync(path.resolve(__dirname, '../../../docs/form-runtime.md'), 'utf8');
    const code = /```js\n(\/\*\* The headers of a create[^]*?)```/.exec(page)![1]!;
    const challengeHeaders = new Function('base', 'formId', `${code}; return challengeHeaders;`)(
      test.service.url,
      formId,
    ) as () => Promise<Record<string, string>>;
    const made = await anonymous().post(pathOf(formId), {}, await challengeHeaders());
    expect(made.status).toBe(201);
  });

  it('is valid once, in all processes, however many use it together', async () => {
    const formId = await tenantOf(test).form();
    const response = answering(solve((await begin(formId)).challenge));
    const replies = await together(10, (n) =>
      (n % 2 === 0 ? anonymous() : elsewhere.anonymous()).post(pathOf(formId), {}, response),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status !== 201).map(codeOf)).toEqual(Array(9).fill(required));
  });

  it('is checked: form, signature, expiry, work and shape', async () => {
    const tenant = tenantOf(test);
    const [formId, other] = [await tenant.form(), await tenant.form()];
    const { challenge } = await begin(formId);
    const parts = challenge.split('.');
    const changed = (index: number, value: string) => parts.with(index, value).join('.');
    const wrong = [
      solve((await begin(other)).challenge),
      solve(challenge, true),
      solve(changed(0, other)),
      solve(changed(1, '9999999999')),
      solve(changed(2, '1')),
      solve(changed(3, 'A'.repeat(22))),
      solve(changed(4, 'A'.repeat(43))),
      challenge,
      `${challenge}.`,
      `${challenge}.-1`,
      `${challenge}.${'1'.repeat(5_000)}`,
      'x',
      '....',
    ];
    for (const response of wrong) {
      const reply = await anonymous().post(pathOf(formId), {}, answering(response));
      expect([response, ...codeOf(reply)]).toEqual([response, ...required]);
    }
    expect((await anonymous().post(pathOf(formId), {}, answering(solve(challenge)))).status).toBe(201);
  });

  it('expires', async () => {
    const formId = await tenantOf(test).form();
    const signed = (validSeconds: number) =>
      newChallenge(challengeKeys([internalSecret]), { formId, bits, validSeconds }).challenge;
    const reply = await anonymous().post(pathOf(formId), {}, answering(solve(signed(-1))));
    expect(codeOf(reply)).toEqual(required);
    expect((await anonymous().post(pathOf(formId), {}, answering(solve(signed(60))))).status).toBe(201);
  });

  it('is not needed for the repeat of an Idempotency-Key that was answered', async () => {
    const formId = await tenantOf(test).form();
    const key = { 'idempotency-key': randomUUID() };
    const solved = { ...key, ...answering(solve((await begin(formId)).challenge)) };
    const first = await anonymous().post(pathOf(formId), {}, solved);
    expect(first.status).toBe(201);
    for (const headers of [solved, key]) {
      const again = await anonymous().post(pathOf(formId), {}, headers);
      expect([again.status, again.body['id']]).toEqual([201, first.body['id']]);
    }
    const other = { 'idempotency-key': randomUUID() };
    expect(codeOf(await anonymous().post(pathOf(formId), {}, other))).toEqual(required);
  });

  it('is given for forms that their caller may read', async () => {
    const tenant = tenantOf(test);
    const closed = await tenant.form({ isPublic: false });
    const place = (formId: string) => `/api/public/forms/${formId}/challenges`;
    expect((await anonymous().post(place(closed))).status).toBe(401);
    expect((await anonymous().post(place('1'))).status).toBe(404);
    expect((await anonymous().post(place(await tenant.form({ isEnabled: false })))).status).toBe(409);
  });
});

describe('a verifier', () => {
  let verifier: Server;
  let test: Harness;
  const asked: Record<string, string>[] = [];
  let reply: VerifierReply = 'nothing';
  beforeAll(async () => {
    verifier = createServer((request, response) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => {
        asked.push(Object.fromEntries(new URLSearchParams(text)));
        if (reply !== 'nothing') response.writeHead(reply.status).end(reply.body);
      });
    });
    await new Promise<void>((done) => verifier.listen(0, '127.0.0.1', done));
    test = await startHarness({
      publicForms: {
        Challenge: 'verifier',
        Verifier: {
          Url: `http://127.0.0.1:${(verifier.address() as AddressInfo).port}/siteverify`,
          Secret: 's3cret',
          SiteKey: 'public key',
          SendsAddress: true,
          TimeoutMs: 300,
        },
      },
    });
  });
  afterAll(async () => {
    await test.close();
    verifier.closeAllConnections();
    verifier.close();
  });
  const { anonymous } = submissionCalls(() => test);
  const create = (formId: string) => anonymous().post(pathOf(formId), {}, answering('from the widget'));

  it('decides about the response', async () => {
    const formId = await tenantOf(test).form();
    const begun = await anonymous().post<Challenge>(`/api/public/forms/${formId}/challenges`);
    expect(begun.body).toMatchObject({ type: 'verifier', siteKey: 'public key', challenge: null });
    expect(codeOf(await anonymous().post(pathOf(formId), {}))).toEqual(required);
    expect(asked).toEqual([]);
    reply = { status: 200, body: '{"success":true}' };
    expect((await create(formId)).status).toBe(201);
    expect(asked).toEqual([
      {
        secret: 's3cret',
        response: 'from the widget',
        remoteip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      },
    ]);
    reply = { status: 200, body: '{"success":false,"error-codes":["timeout-or-duplicate"]}' };
    expect(codeOf(await create(formId))).toEqual(required);
  });

  it.each<[string, VerifierReply]>([
    ['answers an error', { status: 500, body: '{"success":true}' }],
    ['redirects', { status: 302, body: '' }],
    ['answers no JSON', { status: 200, body: 'yes' }],
    ['answers another JSON', { status: 200, body: 'null' }],
    ['refuses the secret', { status: 200, body: '{"success":false,"error-codes":["invalid-input-secret"]}' }],
    ['does not answer', 'nothing'],
  ])('that %s is a 503 with Retry-After, and nothing is created', async (_, answer) => {
    reply = answer;
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { status, headers, body } = await create(formId);
    expect([status, body['errorCode'], headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '5',
    ]);
    expect(JSON.stringify(body)).not.toContain('s3cret');
    expect((await tenant.admin.get(`${pathOf(formId)}?total=exact`)).body['total']).toBe(0);
  });
});
