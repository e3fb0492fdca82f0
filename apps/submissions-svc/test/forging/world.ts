import { createHash, createPublicKey, randomUUID, type JsonWebKey } from 'node:crypto';
import type { Role } from '@canvass/auth';
import { newRsaKeys, type TestIssuer } from '@canvass/testing';
import jwt from 'jsonwebtoken';
import { client, internalSecret, newTenant, tenantOf, type Harness } from '../harness';
import { byToken, pathOf, type Submission } from '../submission-calls';

type Claims = Record<string, unknown>;

/**
 * A tenant where the boss has answered a gated form, another tenant with a respondent of its own, and
 * whatever a forger can lay hands on: published keys, tokens of other kinds, a key and a key set of her own.
 */
export async function forgersWorld(test: Harness) {
  const { own, external } = test;
  const tenantId = newTenant();
  const tenant = tenantOf(test, tenantId);
  const otherId = newTenant();
  const otherTenant = tenantOf(test, otherId);

  const claims = { tid: tenantId, sub: '4711', kind: 'user', name: 'The Boss', department: 'Board' };
  const gated = await tenant.form({ limitOnePerUser: true });
  const idempotencyKey = randomUUID();
  const made = await tenant
    .user(claims)
    .post<Submission>(pathOf(gated), {}, { 'idempotency-key': idempotencyKey });
  const { id = '', token = '', submitterId = '' } = made.body;
  const access = await client(test.service.url).post<{ token: string }>(
    `/api/public/forms/${gated}/access-tokens`,
  );
  // A submitter of the other tenant, whom an integration of the first may try to name.
  const appUserId = '990099';
  await otherTenant.user({ sub: appUserId, name: 'Other' }).post(pathOf(await otherTenant.form()), {});

  const { keys } = (await (await fetch(own.jwksUri)).json()) as { keys: [JsonWebKey & { kid: string }] };
  const [publicJwk] = keys;
  const strange = newRsaKeys();
  const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
  const bossClaims = () => ({ iss: own.issuer, aud: own.audience, ...claims, exp: inAnHour() });

  return {
    tenantId,
    boss: {
      claims,
      submitterId,
      submissionId: id,
      submissionToken: token,
      tokenHash: createHash('sha256').update(token).digest('hex'),
      idempotencyKey,
      path: `${pathOf(gated)}/${id}`,
      gatedPath: pathOf(gated),
      /** Signed by the own provider, with other claims than it would write. */
      token: (changed: Claims) => own.token({ ...claims, ...changed }),
    },
    /** A user without permissions. */
    mallory: (changed: Claims = {}) => own.token({ tid: tenantId, sub: '666', name: 'Mallory', ...changed }),
    role: (role: Role) => own.token({ tid: tenantId, sub: '12', kind: 'service', roles: [role] }),
    other: {
      tenantId: otherId,
      appUserId,
      sameSubject: () => own.token({ ...claims, tid: otherId }),
      admin: () => own.token({ tid: otherId, sub: '1', roles: ['Admin'] }),
      integration: () => own.token({ tid: otherId, sub: '13', kind: 'service', roles: ['Integration'] }),
    },
    external: external as Pick<TestIssuer, 'issuer' | 'audience' | 'token'>,
    expired: () => own.token(claims, { expiresInSeconds: -60 }),
    forged: () => own.token(claims, { forged: true }),
    payload: () => Buffer.from(JSON.stringify(bossClaims())).toString('base64url'),
    stranger: (header: Record<string, unknown>) =>
      jwt.sign(bossClaims(), strange.privateKey, { header: { alg: 'RS256', ...header } }),
    strangerJwk: {
      ...strange.publicKey.export({ format: 'jwk' }),
      kid: 'stranger',
      use: 'sig',
      alg: 'RS256',
    },
    // Must not be fetched: the address has a valid key set.
    strangersKeys: external.jwksUri,
    kid: publicJwk.kid,
    publicJwk,
    publicPem: createPublicKey({ key: publicJwk, format: 'jwk' })
      .export({ type: 'spki', format: 'pem' })
      .toString(),
    hmac: (secret: string) =>
      jwt.sign(bossClaims(), Buffer.from(secret), { algorithm: 'HS256', keyid: publicJwk.kid }),
    formToken: access.body.token,
    serviceToken: test.internalToken(),
    internalSecret,
    byToken: (text: string) => byToken(gated, text),
    newForm: () => tenant.form(),
  };
}

export type World = Awaited<ReturnType<typeof forgersWorld>>;
