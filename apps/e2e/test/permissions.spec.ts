import { clientCredentials, proofOf, textOf } from '@canvass/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn, type Callers } from '../src/client';
import { documentedOperations } from '../src/documented-operations';
import {
  requestsOfRestricted,
  requestsOfStranger,
  unknownMembers,
  type ForeignRequest,
} from '../src/foreign-walk';
import { permissionTable, type Expectation, type Route } from '../src/permission-table';
import { stackFile } from '../src/stack';
import { walkedTenant, type WalkedTenant } from '../src/walked-tenant';

/**
 * The permission walk: every route of `docs/permissions.md` as every caller, through the gateway. Callers
 * without the permission are rejected for ids that exist. An administrator of another tenant finds nothing.
 * Permitted callers pass, and write with ids that do not exist, so that the walk changes nothing.
 */
const routes = permissionTable();
const operations = documentedOperations();
const otherTenant = "another tenant's Admin";
const formToken = 'form-access token';
const submissionToken = 'submission token';

let callers: Callers;
let tenant: WalkedTenant;
let bearers: Map<string, string | undefined>;
/** The proofs of administrators, for operations that ask for a fresh proof. */
let proofs: Map<string, Record<string, string>>;
beforeAll(async () => {
  callers = await signIn();
  tenant = await walkedTenant(callers);
  bearers = new Map([
    ...tenant.tokens,
    [otherTenant, callers.stranger.token],
    [formToken, tenant.formToken],
    [submissionToken, tenant.submissionToken],
  ]);
  const { adminPassword } = (await stackFile()).demo.otherTenant;
  proofs = new Map([
    ['Admin', tenant.proof],
    [otherTenant, await proofOf(callers.stranger, adminPassword)],
  ]);
});

/**
 * A valid body, so that a caller is rejected because of its rights, not because of the format. Settings have
 * no URL, which would be resolved.
 */
const bodyOf = (id: string): object | undefined =>
  id === 'saveFormWebhookSettings' ? { settings: {} } : operations.get(id)!.body;

interface Step {
  path: string;
  body: object | undefined;
  expected: (status: number) => boolean;
  /** Returns whether the response may contain data of the tenant. */
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
  const body = isWrite(route) ? bodyOf(route.operation) : undefined;
  const step = { path: real ?? absent, body, mayShow: false };
  if (expectation !== 'yes') return { ...step, expected: (status) => status === Number(expectation) };
  if (caller === otherTenant && byId(route)) return { ...step, expected: (status) => status === 404 };
  const mayShow = caller !== otherTenant;
  // Collections reject an empty body as invalid, after the permission check.
  if (isWrite(route))
    return { ...step, path: byId(route) ? absent : route.path, body: body && {}, expected: passes, mayShow };
  return { ...step, expected: (status) => (real === null ? passes(status) : status === 200), mayShow };
}

const walked = new Map<string, Set<string>>();

async function walk(caller: string): Promise<string[]> {
  const surprises: string[] = [];
  walked.set(caller, new Set());
  for (const route of routes) {
    walked.get(caller)!.add(route.operation);
    const { path, body, expected, mayShow } = stepOf(route, caller);
    const { status, text } = await send(route.method, path, bearers.get(caller), body, {
      // Most operations ignore it.
      'x-submission-token': tenant.submissionToken,
      ...proofs.get(caller),
    });
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
  also: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(callers.gatewayUrl + path, {
    method,
    headers: {
      ...also,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await textOf(response);
  const wait = response.status === 429 ? Number(response.headers.get('retry-after')) : 0;
  // Many calls from one address may get a 429, which says nothing about permissions.
  if (wait > 0 && wait <= 60) return sleep(wait * 1000).then(() => send(method, path, bearer, body, also));
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

/** Sends all requests and returns those that were answered otherwise, or with data of the tenant. */
async function walkForeign(
  bearer: string,
  requests: ForeignRequest[],
  also?: Record<string, string>,
): Promise<string[]> {
  const surprises: string[] = [];
  for (const { method, path, body, expected } of requests) {
    const { status, text } = await send(method, path, bearer, body, also);
    if (!expected(status)) surprises.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
    if (text.includes(tenant.marker)) surprises.push(`${method} ${path} shows what is foreign`);
  }
  return surprises;
}

it('every operation with foreign ids: an account of one form, and another tenant, reach and change nothing', async () => {
  const before = await tenant.state();
  const { id: own } = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', { name: 'Own' });
  const account = await callers.admin.expect<{ clientId: string; clientSecret: string }>(
    201,
    'POST',
    '/api/service-accounts',
    { name: 'of one form', roles: ['Admin', 'Integration'], formIds: [own] },
  );
  const token = await clientCredentials(callers.gatewayUrl, account);
  // Its form is needed to the end.
  const inOrder = [...routes].sort(
    (a, b) => Number(a.operation === 'deleteForm') - Number(b.operation === 'deleteForm'),
  );
  const requests = inOrder.map((route): [string, ForeignRequest[]] => [
    route.operation,
    requestsOfRestricted(route, operations.get(route.operation)!, tenant, own),
  ]);
  walked.set('restricted', new Set(requests.flatMap(([id, some]) => (some.length > 0 ? [id] : []))));
  const ofStranger = routes.flatMap((route) =>
    requestsOfStranger(route, operations.get(route.operation)!, tenant),
  );
  const surprises = await Promise.all([
    walkForeign(
      token,
      requests.flatMap(([, some]) => some),
    ),
    walkForeign(callers.stranger.token!, ofStranger, proofs.get(otherTenant)),
  ]);
  expect(surprises.flat()).toEqual([]);
  expect(await tenant.state()).toEqual(before);
});

it('covers every operation of the OpenAPI document, in every walk', () => {
  // Those of the gateway itself are the same for everybody.
  const ids = [...operations].filter(
    ([id, { needsToken }]) => needsToken || routes.some((each) => each.operation === id),
  );
  expect(ids.length).toBeGreaterThan(150);
  for (const [caller, some] of walked)
    expect([caller, ...[...some].sort()]).toEqual([caller, ...ids.map(([id]) => id).sort()]);
  expect([...walked.keys()].sort()).toEqual([...bearers.keys(), 'restricted'].sort());
  expect(
    [...operations].flatMap(([id, each]) => unknownMembers(each).map((name) => `${id}: ${name}`)),
  ).toEqual([]);
  expect(bearers.size).toBe(12);
});
