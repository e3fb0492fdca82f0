import { herself, anonymously, malformed, type Table } from './forgery';
import type { World } from './world';

/** Members of a body that would say who the respondent is. */
const claims: [name: string, body: (w: World) => object][] = [
  ['submittedBy', (w) => ({ submittedBy: w.boss.submitterId })],
  ['submitterId as text', (w) => ({ submitterId: w.boss.submitterId })],
  ['submitterId as a number', () => ({ submitterId: 1 })],
  ['SubmitterId in the case of the specification', (w) => ({ SubmitterId: w.boss.submitterId })],
  [
    'submitter',
    () => ({
      submitter: { externalSubjectId: '4711', displayId: 'Boss', authProvider: 'Service', appUserId: '4711' },
    }),
  ],
  ['submitterDisplayId', () => ({ submitterDisplayId: 'The Boss' })],
  ['submitterProfileSnapshot', () => ({ submitterProfileSnapshot: { department: 'Board' } })],
  ['provider and subject', () => ({ authProvider: 'Service', externalSubjectId: '4711', displayId: 'Boss' })],
  ['appUserId', () => ({ appUserId: '4711' })],
  ['restrictionKey', (w) => ({ restrictionKey: `SingleSubmission:Form:1:Submitter:${w.boss.submitterId}` })],
  ['tenantId', (w) => ({ tenantId: w.other.tenantId })],
  ['isTestSubmission', () => ({ isTestSubmission: true })],
  [
    'metadata',
    (w) => ({
      metadata: JSON.stringify({ submitterId: w.boss.submitterId, submittedBy: w.boss.submitterId }),
    }),
  ],
  ['jsonData', (w) => ({ jsonData: JSON.stringify({ submitterId: w.boss.submitterId, sub: '4711' }) })],
  ['a token', () => ({ token: 'x' })],
];

/** Members that no body has. */
const unknown: [name: string, body: (w: World) => object][] = [
  ['submitter_id', (w) => ({ submitter_id: w.boss.submitterId })],
  ['a principal', (w) => ({ principal: { subject: '4711', tenantId: w.tenantId }, user: { id: '4711' } })],
  ['constructor', (w) => ({ constructor: { prototype: { submitterId: w.boss.submitterId } } })],
  ['an access token', (w) => ({ access_token: w.expired(), authorization: `Bearer ${w.expired()}` })],
];

export const bodies: Table = [
  ...claims.flatMap(([name, body]): Table => [
    [`${name} in the body, anonymously,`, (w) => ({ body: body(w), ...anonymously })],
    [`${name} in the body, signed in,`, (w) => ({ bearer: w.mallory(), body: body(w), ...herself })],
  ]),
  ...unknown.map(([name, body]): Table[number] => [
    `${name} in the body, signed in,`,
    (w) => ({ bearer: w.mallory(), body: body(w), ...malformed }),
  ]),
];
