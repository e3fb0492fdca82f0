import { malformed, anonymously, refused, type Table } from './forgery';

const headerNames = [
  'X-User-Id',
  'X-User',
  'X-Submitter',
  'X-Submitter-Id',
  'X-Tenant-Id',
  'X-Forwarded-User',
  'X-Remote-User',
  'X-Auth-Request-User',
  'X-Authenticated-Userid',
  'X-Original-Authorization',
  'X-Canvass-Principal',
  'Remote-User',
];

export const headers: Table = [
  ...headerNames.map((name): Table[number] => [
    `the header ${name}`,
    (w) => ({
      headers: [[name, name.endsWith('Authorization') ? `Bearer ${w.mallory()}` : '4711']],
      body: {},
      ...anonymously,
    }),
  ]),
  [
    'a cookie',
    (w) => ({
      headers: [['Cookie', `access_token=${w.mallory()}; submitterId=1`]],
      body: {},
      ...anonymously,
    }),
  ],
  [
    'the query',
    (w, form) => ({
      path: `/api/forms/${form}/submissions?submitterId=${w.boss.submitterId}&access_token=${w.mallory()}`,
      body: {},
      ...malformed,
    }),
  ],
  [
    'Proxy-Authorization',
    (w) => ({ headers: [['Proxy-Authorization', `Bearer ${w.mallory()}`]], body: {}, ...anonymously }),
  ],
  [
    'two Authorization headers, the forged one last',
    (w) => ({
      headers: [
        ['Authorization', `Bearer ${w.mallory()}`],
        ['Authorization', `Bearer ${w.forged()}`],
      ],
      body: {},
      ...malformed,
    }),
  ],
  [
    'two Authorization headers, the forged one first',
    (w) => ({
      headers: [
        ['Authorization', `Bearer ${w.forged()}`],
        ['authorization', `Bearer ${w.mallory()}`],
      ],
      body: {},
      ...malformed,
    }),
  ],
  [
    'two good Authorization headers',
    (w) => ({
      headers: [
        ['Authorization', `Bearer ${w.mallory()}`],
        ['AUTHORIZATION', `Bearer ${w.mallory()}`],
      ],
      body: {},
      ...malformed,
    }),
  ],
  [
    'a list in Authorization',
    (w) => ({
      headers: [['Authorization', `Bearer ${w.mallory()}, Bearer ${w.forged()}`]],
      body: {},
      ...refused,
    }),
  ],
  [
    'Basic',
    () => ({
      headers: [['Authorization', `Basic ${Buffer.from('4711:').toString('base64')}`]],
      body: {},
      ...refused,
    }),
  ],
  [
    'the scheme in another case, with a forged token',
    (w) => ({ headers: [['Authorization', `bEaReR ${w.forged()}`]], body: {}, ...refused }),
  ],
  ['an empty Authorization', () => ({ headers: [['Authorization', '']], body: {}, ...refused })],
];
