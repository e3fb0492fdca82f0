import { refused, type Table } from './forgery';

export const reading: Table = [
  [
    'the list of respondents',
    (w) => ({ method: 'GET', path: '/api/submitters', bearer: w.mallory(), status: 403 }),
  ],
  [
    "the boss's record",
    (w) => ({
      method: 'GET',
      path: `/api/submitters/${w.boss.submitterId}`,
      bearer: w.mallory(),
      status: 403,
    }),
  ],
  [
    "the boss's record, of another tenant",
    (w) => ({
      method: 'GET',
      path: `/api/submitters/${w.boss.submitterId}`,
      bearer: w.other.admin(),
      status: 404,
    }),
  ],
  [
    "the export of the boss's data, of another tenant",
    (w) => ({
      method: 'GET',
      path: `/api/submitters/${w.boss.submitterId}/export`,
      bearer: w.other.admin(),
      status: 404,
    }),
  ],
  [
    'the erasure of the boss, of another tenant',
    (w) => ({
      method: 'DELETE',
      path: `/api/submitters/${w.boss.submitterId}`,
      bearer: w.other.admin(),
      status: 404,
    }),
  ],
  [
    "the boss's submission by id",
    (w) => ({ method: 'GET', path: w.boss.path, bearer: w.mallory(), status: 403 }),
  ],
  [
    "the boss's submission by id, with a form-access token",
    (w) => ({ method: 'GET', path: w.boss.path, bearer: w.formToken, ...refused }),
  ],
  [
    'a submission id in the place of a token',
    (w) => ({ method: 'GET', path: w.byToken(w.boss.submissionId), status: 404 }),
  ],
  [
    'half a token',
    (w) => ({ method: 'GET', path: w.byToken(w.boss.submissionToken.slice(0, -4)), status: 404 }),
  ],
  ['the hash of a token', (w) => ({ method: 'GET', path: w.byToken(w.boss.tokenHash), status: 404 })],
  [
    "the boss's token on another form",
    (w, form) => ({
      method: 'GET',
      path: `/api/forms/${form}/submissions/by-token/${w.boss.submissionToken}`,
      status: 404,
    }),
  ],
  [
    "the boss's token with a bearer of another tenant",
    (w) => ({
      method: 'PATCH',
      path: w.byToken(w.boss.submissionToken),
      bearer: w.other.admin(),
      body: { currentPage: 9 },
      status: 404,
    }),
  ],
  [
    "the boss's token with a forged bearer",
    (w) => ({
      method: 'PATCH',
      path: w.byToken(w.boss.submissionToken),
      bearer: w.forged(),
      body: { currentPage: 9 },
      ...refused,
    }),
  ],
  [
    "the boss's Idempotency-Key and body",
    (w) => ({
      path: w.boss.gatedPath,
      bearer: w.mallory(),
      headers: [['Idempotency-Key', w.boss.idempotencyKey]],
      body: {},
      // Her own key: she makes a submission of her own.
      status: 201,
    }),
  ],
  [
    "the boss's gate, by the key in the body",
    (w) => ({
      method: 'GET',
      path: `${w.boss.gatedPath}?filter=restrictionKey:x`,
      bearer: w.role('Viewer'),
      status: 400,
    }),
  ],
  [
    'a filter on a field that is not kept',
    (w) => ({
      method: 'GET',
      path: `${w.boss.gatedPath}?filter=submitterProfile.salary:1`,
      bearer: w.role('Viewer'),
      status: 400,
    }),
  ],
];
