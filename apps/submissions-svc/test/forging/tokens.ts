import jwt from 'jsonwebtoken';
import { encoded, anonymously, refused, type Table } from './forgery';
import type { World } from './world';

/**
 * The tokens that a forger makes of the shape of the boss's tokens, which she may have seen, and of tokens of
 * other kinds.
 */
const tokens: [name: string, token: (w: World) => string][] = [
  ['alg none', (w) => `${encoded({ alg: 'none', typ: 'JWT' })}.${w.payload()}.`],
  ['alg None with a signature', (w) => `${encoded({ alg: 'None', kid: w.kid })}.${w.payload()}.AAAA`],
  ['no signature', (w) => `${encoded({ alg: 'RS256', kid: w.kid })}.${w.payload()}.`],
  ["another's signature", (w) => `${w.mallory().split('.')[0]}.${w.payload()}.${w.mallory().split('.')[2]}`],
  ['an unknown key', (w) => w.forged()],
  ['an unknown key id', (w) => w.stranger({ kid: 'unknown' })],
  ['no key id', (w) => w.stranger({})],
  ['a key id that is a path', (w) => w.stranger({ kid: '../../../dev/null' })],
  ['a key id that is SQL', (w) => w.stranger({ kid: "' or 1=1 --" })],
  ['a key id that is an address', (w) => w.stranger({ kid: w.strangersKeys })],
  ['an embedded jwk', (w) => w.stranger({ kid: w.kid, jwk: w.strangerJwk })],
  ['a jku', (w) => w.stranger({ kid: 'stranger', jku: w.strangersKeys })],
  ['an x5u', (w) => w.stranger({ kid: 'stranger', x5u: w.strangersKeys })],
  ['an x5c', (w) => w.stranger({ kid: w.kid, x5c: ['MIIB'] })],
  ['HS256 with the public key as PEM', (w) => w.hmac(w.publicPem)],
  ['HS256 with the public key as JSON', (w) => w.hmac(JSON.stringify(w.publicJwk))],
  ['HS256 with an empty secret', (w) => `${encoded({ alg: 'HS256', kid: w.kid })}.${w.payload()}.AAAA`],
  ['another issuer', (w) => w.boss.token({ iss: 'https://evil.example' })],
  ['an issuer that is a list', (w) => w.boss.token({ iss: ['canvass-identity'] })],
  [
    "the other provider's issuer, signed by the own one",
    (w) => w.boss.token({ iss: w.external.issuer, aud: w.external.audience, tenant: w.tenantId }),
  ],
  [
    'the own issuer, signed by the other provider',
    (w) => w.external.token({ iss: 'canvass-identity', aud: 'canvass-api', ...w.boss.claims }),
  ],
  ['another audience', (w) => w.boss.token({ aud: 'account' })],
  ['no audience', (w) => w.boss.token({ aud: undefined })],
  ['the audience of form-access tokens', (w) => w.boss.token({ aud: 'canvass-form-access' })],
  ['the audience of services', (w) => w.boss.token({ aud: 'canvass-internal' })],
  ['expired', (w) => w.expired()],
  ['no end', (w) => w.boss.token({ exp: undefined })],
  ['not yet valid', (w) => w.boss.token({ nbf: Math.floor(Date.now() / 1000) + 600 })],
  ['no tenant', (w) => w.boss.token({ tid: undefined })],
  ['tenant 0', (w) => w.boss.token({ tid: '0' })],
  ['no subject', (w) => w.boss.token({ sub: undefined })],
  ['a subject with U+0000', (w) => w.boss.token({ sub: '4711\u0000' })],
  ['a kind of its own', (w) => w.boss.token({ kind: 'admin' })],
  ['a form-access token', (w) => w.formToken],
  ['a submission token', (w) => w.boss.submissionToken],
  ['a service-to-service token', (w) => w.serviceToken],
  [
    'a service-to-service token that names a user',
    (w) =>
      jwt.sign({ ...w.boss.claims, iss: 'canvass-identity', aud: 'canvass-api' }, w.internalSecret, {
        expiresIn: 60,
        keyid: w.kid,
      }),
  ],
];

export const bearers: Table = [
  ...tokens.map(([name, token]): Table[number] => [
    `a bearer with ${name}`,
    (w) => ({ bearer: token(w), body: {}, ...refused }),
  ]),
  [
    'a good token of another tenant with the same subject',
    (w) => ({ bearer: w.other.sameSubject(), body: {}, status: 404 }),
  ],
  [
    "the other provider's token with the boss's subject",
    (w) => ({
      bearer: w.external.token({ tenant: w.tenantId, sub: '4711' }),
      body: {},
      status: 201,
      becomes: 'a new respondent',
    }),
  ],
  [
    "the other provider's token that names the own provider and an app user",
    (w) => ({
      bearer: w.external.token({
        tenant: w.tenantId,
        sub: 'eve',
        kind: 'user',
        tid: w.tenantId,
        provider: 'Service',
        appUserId: '4711',
      }),
      body: {},
      status: 201,
      becomes: 'a new respondent',
    }),
  ],
  [
    'a service account of the boss’s number',
    (w) => ({ bearer: w.boss.token({ kind: 'service' }), body: {}, ...anonymously }),
  ],
];
