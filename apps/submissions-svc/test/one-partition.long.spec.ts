import { findFormState, resumeOpen } from '../src/submissions/resume.sql';
import { totalOf, type BoundStatement, type Queryable } from '@canvass/postgres';
import { createAnonymous, createIdentified } from '../src/submissions/create.sql';
import { wholeSubmission } from '../src/submissions/fields.sql';
import { exportQuery, keySourceOf, selectSlice } from '../src/submissions/list.sql';
import {
  countDuplicates,
  countDuplicatesSince,
  allVersions,
  findSubmission,
  findUnusedToken,
  getSubmission,
} from '../src/submissions/read.sql';
import { nextMatches } from '../src/submissions/next-matches';
import {
  deleteMany,
  deleteSubmission,
  findDeleted,
  hasData,
  lockById,
  restoreMany,
  restoreSubmission,
  saveById,
  saveByToken,
  setStatus,
  setStatusOfMany,
  checkedSaveById,
  checkedSaveByToken,
  lockByToken,
  useToken,
} from '../src/submissions/save.sql';
import { countByDay } from '../src/submissions/stats.sql';
import * as erasure from '../src/erasure/erase.sql';
import * as links from '../src/links/links.sql';
import * as comments from '../src/comments/comments.sql';
import * as erase from '../src/submitters/erase.sql';
import { allSubmitters, getSubmitter } from '../src/submitters/submitters.sql';
import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';
import { hashOfSent } from '../src/submissions/submission-token';

const partitions = 8;
let test: Harness;
let tenant: Tenant;
let ids: { formId: string; id: string; submitterId: string };
let tokenHash: Buffer;
/** Suffix of the partitions with the rows of the tenant. */
let home: string;

beforeAll(async () => {
  test = await startHarness({ partitions });
  const { anonymous } = submissionCalls(() => test);
  for (let others = 0; others < 2 * partitions; others += 1) await answered(tenantOf(test));
  tenant = tenantOf(test);
  ids = await answered(tenant);
  const { body } = await anonymous().post<Submission>(pathOf(ids.formId), {});
  tokenHash = hashOfSent(body['token']!)!;
  const [row] = await test.db.query<{ partition: string }>(
    `select tableoid::regclass::text as partition from submissions where tenant_id = $1 and id = $2`,
    [tenant.id, ids.id],
  );
  home = /_p\d+$/.exec(row!.partition)![0];
  await test.db.query('analyze');
});
afterAll(() => test.close());

/** A submission with a submitter and a former version. */
async function answered(of: Tenant) {
  const formId = await of.form();
  const { body } = await of.user().post<Submission>(pathOf(formId), { jsonData: '{"a":1}' });
  const id = body['id']!;
  expect((await of.admin.patch(`${pathOf(formId)}/${id}`, { jsonData: '{"a":2}' })).status).toBe(200);
  return { formId, id, submitterId: body['submitterId']! };
}

interface Query {
  text: string;
  values: readonly unknown[];
}

const bound = <Row>({ text, values }: BoundStatement<Row>): Query => ({ text, values });

/** The queries that a function sends. */
async function sentBy(work: (db: Queryable) => Promise<unknown>): Promise<Query[]> {
  const sent: Query[] = [];
  const db = {
    query: (text: string, values: readonly unknown[]) => {
      sent.push({ text, values });
      return test.db.query(text, values);
    },
  };
  await work(db as unknown as Queryable);
  return sent;
}

const newestFirst = { sortBy: 'id', sortDir: 'desc' } as const;

const changes = {
  isComplete: null,
  currentPage: null,
  jsonData: '{"a":3}',
  answerFaults: null,
  metadata: null,
  screenOut: false,
  ifMatch: null,
  traceparent: '',
};
const created = {
  mayAnswerPrivate: true,
  mayTest: false,
  isTest: false,
  isComplete: false,
  collectionStatus: 'in_progress',
  currentPage: 0,
  jsonData: '{}',
  answerFaults: null,
  metadata: '{}',
  createdBy: null,
  tokenHolder: null,
  traceparent: '',
};

/** The one who saved, and the facts of the audit trail. */
const by = { savedBy: 'null', audit: '{"action":"submission.updated","objectType":"submission"}' };

/** Every statement on a partitioned table that requests of respondents and staff run. */
async function queries(): Promise<[name: string, query: Query][]> {
  const tenantId = tenant.id;
  const { formId, id, submitterId } = ids;
  const one = { tenantId, formId, id };
  const owner = { tenantId, formId, authProvider: 'Service', externalSubjectId: '21' };
  const respondent = {
    authProvider: 'Service',
    externalSubjectId: '21',
    appUserId: '21',
    displayId: 'Ada',
    profile: '{}',
    refreshes: true,
  };
  const dates = { from: null, to: null };
  const filter = { tenantId, formId, conditions: [], search: null, ...dates, isDeleted: false, ids: null };
  const page = { limit: 10, maxBytes: 1_000_000 };
  const list = await sentBy(async (db) => {
    await totalOf(db, [keySourceOf(filter, newestFirst)], 'exact');
    await selectSlice(db, filter, newestFirst, page, wholeSubmission);
  });
  const window = { after: '0', before: '9223372036854775807' };
  const limits = { scanned: 10, taken: 10, bytes: 1_000 };
  const batch = await sentBy((db) => nextMatches(db, filter, hasData, window, limits, true));
  const many = { tenantId, formId, ids: [id], traceparent: '', audit: by.audit };
  const exported = exportQuery(filter, 's.id::text');
  const ofSubmitter = { tenantId, submitterId };
  return [
    [
      'create by an anonymous respondent',
      bound(createAnonymous({ ...created, formId, tenantId: null, tokenHash: Buffer.alloc(32) })),
    ],
    [
      'create by a known respondent',
      bound(createIdentified({ ...created, ...respondent, formId, tenantId, tokenHash: Buffer.alloc(32) })),
    ],
    ['save by id', bound(saveById({ ...changes, ...one, ...by }))],
    [
      'save by token',
      bound(saveByToken({ ...changes, formId, tenantId: null, tokenHash, isHeld: false, graceMinutes: 0 })),
    ],
    ['check of a save by id', bound(checkedSaveById({ ...one, reads: true }))],
    [
      'check of a save by token',
      bound(checkedSaveByToken({ formId, tenantId: null, tokenHash, reads: true })),
    ],
    ['use of a token', bound(useToken({ formId, tenantId: null, tokenHash }))],
    ['lock by token', bound(lockByToken({ formId, tenantId: null, tokenHash, graceMinutes: 0 }))],
    ['resume', bound(resumeOpen({ ...owner, tokenHash, tokenHolder: null, graceMinutes: 0 }))],
    ['state of a form', bound(findFormState({ ...owner, graceMinutes: 0 }))],
    ['lock by id', bound(lockById(one))],
    [
      'review status',
      bound(setStatus({ ...one, status: 'read', ifMatch: null, traceparent: '', audit: by.audit })),
    ],
    ['deletion', bound(deleteSubmission({ ...one, ifMatch: null, traceparent: '', audit: by.audit }))],
    ['review status of many', bound(setStatusOfMany({ ...many, status: 'read' }))],
    ['deletion of many', bound(deleteMany(many))],
    ['restored deletions', bound(restoreMany(many))],
    ['restored deletion', bound(restoreSubmission({ ...many, ifMatch: null }))],
    ['deleted submission', bound(findDeleted(one))],
    ['part of a form', batch[0]!],
    ['matches in a part of a form', batch[1]!],
    ['read', bound(getSubmission(one))],
    ['submission of versions', bound(findSubmission(one))],
    ['versions', bound(allVersions({ tenantId, id }))],
    ['duplicates', bound(countDuplicates({ tenantId, formId }))],
    ['duplicates since', bound(countDuplicatesSince({ tenantId, formId, since: id }))],
    ['statistics', bound(countByDay({ tenantId, formId, from: null, to: null, timeZone: 'UTC' }))],
    ['number of the list', list[0]!],
    ['page of the list', list[1]!],
    ['export', { text: exported.sql, values: exported.values }],
    ['read of a submitter', bound(getSubmitter({ tenantId, id: submitterId }))],
    ['submitters', bound(allSubmitters({ tenantId, search: null }))],
    ['lock of a submitter', bound(erase.lockSubmitter(ofSubmitter))],
    ['lock of the submissions of a submitter', bound(erase.lockSubmissions({ ...ofSubmitter, limit: 200 }))],
    ['number of the submissions of a submitter', bound(erase.countSubmissions(ofSubmitter))],
    ['lock of a submission', bound(erasure.lockSubmission(one))],
    ['erasure', bound(erasure.eraseRows({ tenantId, ids: [id], deletes: true, traceparent: '' }))],
    [
      'report of an erasure',
      bound(erasure.emitErased({ tenantId, ids: [id], deletes: true, traceparent: '' })),
    ],
    ['erasure of versions', bound(erasure.deleteVersions({ tenantId, ids: [id] }))],
    ['erasure of links', bound(erasure.deleteLinks({ tenantId, ids: [id] }))],
    ['erasure of comments', bound(erasure.deleteComments({ tenantId, ids: [id] }))],
    ['comments of a submission', bound(comments.commentsOf({ tenantId, submissionId: id }))],
    ['use of a link', bound(links.useLink({ tenantId: null, formId, tokenHash }))],
    ['links of a submission', bound(links.linksOf({ tenantId, submissionId: id }))],
    ['first use of a token', bound(findUnusedToken({ tenantId, id }))],
    ['submissions of a submitter', { text: erase.submissionsOfSubmitter, values: [tenantId, submitterId] }],
    ['versions of a submitter', { text: erase.versionsOfSubmitter, values: [tenantId, submitterId] }],
  ];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

const literal = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return literal(`{${value.join(',')}}`);
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
};

/** Number of statements that were prepared: each has its own name, because a rollback keeps them. */
let prepared = 0;

/** The partitions that the query scans. The transaction is rolled back. */
async function scanned({ text, values }: Query, planMode: string): Promise<string[]> {
  const undo = new Error('only explained');
  let plan: PlanNode | undefined;
  await test.db
    .transaction(async (tx) => {
      await tx.query(`set local plan_cache_mode = ${planMode}`);
      const name = `explained_${prepared++}`;
      await tx.query(`prepare ${name} as ${text}`);
      const call = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
      const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, costs off, timing off, format json) execute ${name}${call}`,
      );
      await tx.query(`deallocate ${name}`);
      plan = row!['QUERY PLAN'][0].Plan;
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  const found = new Set<string>();
  const visit = (node: PlanNode) => {
    const relation = node['Relation Name'] ?? '';
    if (node['Node Type'] !== 'ModifyTable' && node['Actual Loops'] > 0 && /_p\d+$/.test(relation))
      found.add(relation);
    node.Plans?.forEach(visit);
  };
  visit(plan!);
  return [...found].sort();
}

it.each(['force_custom_plan', 'force_generic_plan'])(
  'every statement scans the partitions of its tenant only (%s)',
  async (planMode) => {
    const all: Record<string, string[]> = {};
    for (const [name, query] of await queries())
      all[name] = (await scanned(query, planMode)).filter((partition) => !partition.endsWith(home));
    expect(all).toEqual(Object.fromEntries(Object.keys(all).map((name) => [name, []])));
  },
);

it('finds a statement without a tenant', async () => {
  const query = { text: 'select id from submissions where id = $1', values: [ids.id] };
  expect(await scanned(query, 'force_generic_plan')).toHaveLength(partitions);
});

it('a respondent who answers several times at once has one submission, by the gate of the partition', async () => {
  const path = pathOf(await tenant.form({ limitOnePerUser: true }));
  const answers = await Promise.all([1, 2, 3, 4].map(() => tenant.user({ sub: '99' }).post(path, {})));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
});
