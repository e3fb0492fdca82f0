import { textOf } from '@canvass/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn, type Callers } from '../src/client';
import { permissionTable, type Expectation, type Route } from '../src/permission-table';
import { walkedTenant, type WalkedTenant } from '../src/walked-tenant';

/**
 * The permission walk: every route of `docs/permissions.md` as every caller, through the gateway. Callers
 * without the permission are rejected for ids that exist. An administrator of another tenant finds nothing.
 * Permitted callers pass, and write with ids that do not exist, so that the walk changes nothing.
 */
const routes = permissionTable();
const otherTenant = "another tenant's Admin";
const formToken = 'form-access token';
const submissionToken = 'submission token';

let callers: Callers;
let tenant: WalkedTenant;
let bearers: Map<string, string | undefined>;
beforeAll(async () => {
  callers = await signIn();
  tenant = await walkedTenant(callers);
  bearers = new Map([
    ...tenant.tokens,
    [otherTenant, callers.stranger.token],
    [formToken, tenant.formToken],
    [submissionToken, tenant.submissionToken],
  ]);
});

/** Valid bodies, so that another tenant is rejected because of its rights, not because of the format. */
const bodies: Record<string, object> = {
  replaceForm: { name: 'taken over', isEnabled: false },
  changeForm: { name: 'taken over' },
  saveFormWebhookSettings: { settings: {} },
  createSubmission: {},
  createSubmissionOnBehalf: {},
  createSubmissionOnBehalfUnprefixed: {},
  exportSubmissions: {},
  startSubmissionExport: {},
  changeSubmissions: { action: 'status', status: 'declined', filter: {} },
  replaceSubmission: { isComplete: true },
  changeSubmission: { isComplete: true },
  changeSubmissionByToken: { isComplete: true },
  changeHeldSubmission: { isComplete: true },
  reviewSubmission: { status: 'declined' },
  updateDataList: { name: 'taken over' },
  addDataListLocales: { locales: ['fr'] },
  setDataListDefaultLocale: { defaultLocale: 'de' },
  importDataList: { items: [] },
  stageDataListImport: { items: [] },
  exportDataList: {},
  changeUser: { name: 'taken over' },
  changeServiceAccount: { name: 'taken over' },
  issueFormAccessToken: {},
  issuePreviewToken: { dataListIds: [] },
  changeView: { name: 'taken over' },
};

interface Step {
  path: string;
  body: object | undefined;
  expected: (status: number) => boolean;
  /** Whether the response may contain data of the tenant. */
  mayShow: boolean;
}

const isWrite = ({ method }: Route) => method !== 'GET';
const byId = ({ path }: Route) => path.includes(':');
const passes = (status: number) => status < 500 && ![401, 403, 429].includes(status);

function expectationOf({ needs, expected }: Route, caller: string): Expectation {
  const special = [formToken, submissionToken].includes(caller);
  if (needs === 'form-access token') return caller === formToken ? 'yes' : '401';
  if (special) return needs === 'open' ? 'yes' : '401';
  return expected[caller === otherTenant ? 'Admin' : caller]!;
}

/** The request of a caller to a route, and the expected response. */
function stepOf(route: Route, caller: string): Step {
  const expectation = expectationOf(route, caller);
  const real = tenant.fill(route.path);
  const absent = route.path.replace(/:locale/, 'de').replace(/:\w+/g, '1');
  const body = isWrite(route) && route.method !== 'DELETE' ? (bodies[route.operation] ?? {}) : undefined;
  const step = { path: real ?? absent, body, mayShow: false };
  if (expectation !== 'yes') return { ...step, expected: (status) => status === Number(expectation) };
  if (caller === otherTenant && byId(route)) {
    // A body that this spec does not know may be rejected before the resource is read.
    const known = body === undefined || route.operation in bodies;
    return { ...step, expected: (status) => status === 404 || (!known && status === 400) };
  }
  const mayShow = caller !== otherTenant;
  // Collections reject an empty body as invalid, after the permission check.
  if (isWrite(route))
    return { ...step, path: byId(route) ? absent : route.path, body: body && {}, expected: passes, mayShow };
  return { ...step, expected: (status) => (real === null ? passes(status) : status === 200), mayShow };
}

async function walk(caller: string): Promise<string[]> {
  const surprises: string[] = [];
  for (const route of routes) {
    const { path, body, expected, mayShow } = stepOf(route, caller);
    const { status, text } = await send(route.method, path, bearers.get(caller), body);
    if (!expected(status))
      surprises.push(`${route.method} ${route.path} as ${caller}: ${status} ${text.slice(0, 200)}`);
    else if (!mayShow && text.includes(tenant.marker))
      surprises.push(`${route.method} ${route.path} shows ${caller} data of the tenant`);
  }
  return surprises;
}

async function send(
  method: string,
  path: string,
  bearer: string | undefined,
  body: object | undefined,
): Promise<{ status: number; text: string }> {
  const response = await fetch(callers.gatewayUrl + path, {
    method,
    headers: {
      // Most operations ignore it.
      'x-submission-token': tenant.submissionToken,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await textOf(response);
  const wait = response.status === 429 ? Number(response.headers.get('retry-after')) : 0;
  // Many calls from one address may get a 429, which says nothing about permissions.
  if (wait > 0 && wait <= 60) return sleep(wait * 1000).then(() => send(method, path, bearer, body));
  return { status: response.status, text };
}

it('every route as every caller: only permitted callers pass, and no caller sees another tenant', async () => {
  const before = await tenant.state();
  const names = [...bearers.keys()];
  const surprises = await Promise.all(names.map(walk));
  expect(surprises.flat()).toEqual([]);
  expect(await tenant.state()).toEqual(before);
  console.info(
    `${routes.length} routes x ${names.length} callers: ${routes.length * names.length} calls, no surprise.`,
  );
});

it('covers the routes of all services and all callers', () => {
  expect([...new Set(routes.map(({ service }) => service))]).toEqual([
    'datalists-svc',
    'identity-svc',
    'submissions-svc',
    'webhook-relay-svc',
  ]);
  expect(routes.length).toBeGreaterThan(60);
  expect(bearers.size).toBe(10);
});
