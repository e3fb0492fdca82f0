import {
  buildBundle,
  eventually,
  listen,
  testDatabase,
  testIssuer,
  testVhost,
  type Listening,
  type TestDatabase,
  type TestIssuer,
  type TestVhost,
} from '@canvass/testing';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { client, newEncryptionKey, newTenant } from './harness';
import { pathOf } from './submission-calls';

/** The examples of docs/extending.md in the bundle that the image holds, by configuration alone. */
const example = (name: string) => path.join(__dirname, '../../../docs/examples/extensions', name);

const bundle = buildBundle('submissions-svc');
let database: TestDatabase;
let vhost: TestVhost;
let issuer: TestIssuer;
let directory: Listening & { status: number };

beforeAll(async () => {
  database = await testDatabase({
    template: 'empty',
    schema: 'submissions',
    prepare: () => Promise.resolve(),
  });
  vhost = await testVhost();
  issuer = await testIssuer();
  const listening = await listen((_request, response) => response.writeHead(directory.status).end());
  directory = { ...listening, status: 200 };
});
afterAll(async () => {
  await bundle.remove();
  await Promise.all([directory.close(), issuer.close(), vhost.drop(), database.drop()]);
});

/** The bundle as a process with this configuration, and a form of a new tenant. */
async function start(env: Record<string, string>) {
  const { url, ...log } = await bundle.start({
    Service__Database__Url: database.url,
    Service__Broker__Url: vhost.url,
    Service__Auth__Own__Issuer: issuer.issuer,
    Service__Auth__Own__Audience: issuer.audience,
    Service__Auth__Own__JwksUri: issuer.jwksUri,
    Service__Auth__Own__RevocationsUri: issuer.revocationsUri,
    Service__Internal__Secret: 'x'.repeat(40),
    Service__Encryption__Keys__0: encryptionKey,
    ...env,
  });
  const tid = newTenant();
  const as = (claims: object) => client(url, issuer.token({ tid, ...claims }));
  const admin = as({ sub: '11', roles: ['Admin'] });
  const form = await admin.post<{ id: string }>('/api/forms', { name: 'A form', isEnabled: true });
  return { url, as, admin, path: pathOf(form.body.id), ...log };
}

const encryptionKey = newEncryptionKey('k1');

type Service = Awaited<ReturnType<typeof start>>;
const submitterOf = async ({ admin }: Service, { body }: { body: Record<string, unknown> }) =>
  (await admin.get(`/api/submitters/${String(body['submitterId'])}`)).body;

describe('submissions-svc with an extractor, a check and a writer', () => {
  const hanging = path.join(bundle.folder, 'hanging-extractor.mjs');
  let service: Service;
  beforeAll(async () => {
    writeFileSync(
      hanging,
      `export const extractor = {
         priority: 10,
         canExtract: ({ claims }) => claims.hang === true,
         extract: () => new Promise(() => undefined),
       };`,
    );
    service = await start({
      Service__Submitter__Extractors: JSON.stringify([example('badge-extractor.mjs'), hanging]),
      Service__Submitter__ProfileSnapshotFields: '["department"]',
      Service__Submitter__ExtractorTimeoutMs: '100',
      Service__Health__Checks: JSON.stringify([example('directory-check.mjs')]),
      Service__Health__Writer: example('health-json-writer.cjs'),
      DIRECTORY_URL: directory.url,
    });
  });

  it('the extractor names the submitter', async () => {
    const respondent = service.as({ sub: '7', badge: 'A-1234', department: 'Sales' });
    const made = await respondent.post(service.path, { isComplete: true });
    expect(made.body).toMatchObject({
      submitterDisplayId: 'Badge A-1234',
      submitterProfileSnapshot: { department: 'Sales' },
    });
    expect(await submitterOf(service, made)).toMatchObject({
      authProvider: 'Badge',
      externalSubjectId: 'A-1234',
    });
    const other = await service.as({ sub: '8' }).post(service.path, {});
    expect(await submitterOf(service, other)).toMatchObject({ authProvider: 'Service', appUserId: '8' });
  });

  it('the check is in the report and in no probe', async () => {
    const report = async () =>
      (await client(service.url).get<{ checks: object[] }>('/health/detail')).body.checks;
    expect(await report()).toContainEqual(
      expect.objectContaining({ name: 'staff-directory', status: 'Healthy', data: { httpStatus: 200 } }),
    );
    directory.status = 500;
    await eventually(async () => {
      expect(await report()).toContainEqual(
        expect.objectContaining({ name: 'staff-directory', status: 'Degraded' }),
      );
    });
    const ready = await client(service.url).get<{ checks: object }>('/ready');
    expect([ready.status, Object.keys(ready.body.checks)]).toEqual([200, ['database']]);
  });

  it('the writer writes the overall health', async () => {
    const { status, headers, body } = await client(service.url).get('/health');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/health+json']);
    expect(body).toMatchObject({
      serviceId: 'submissions-svc',
      checks: { 'service-self': [{ status: 'pass' }], database: [{ status: 'pass' }] },
    });
  });

  it('an extractor that hangs: 503, and one log line that names it', async () => {
    const answer = await service.as({ sub: '9', hang: true }).post(service.path, { isComplete: true });
    expect([answer.status, answer.body['errorCode']]).toEqual([503, 'submitter_resolution_failed']);
    const logged = await eventually(() => {
      const found = service.lines().filter((line) => line.includes(hanging));
      expect(found).toHaveLength(1);
      return found;
    });
    expect(JSON.parse(logged[0]!)).toMatchObject({
      level: 'error',
      status: 503,
      errorCode: 'submitter_resolution_failed',
      error: {
        message: `Service:Submitter:Extractors:1 (${hanging}): extract() failed: no result within 100 ms`,
      },
    });
    expect(service.stderr()).toBe('');
  });
});

it('submissions-svc with a resolver returns the same pseudonym for the same respondent, and no names', async () => {
  const keyFile = path.join(bundle.folder, 'respondent-key');
  writeFileSync(keyFile, 'a key of more than thirty-two characters\n');
  const service = await start({
    Service__Submitter__Resolver: example('pseudonym-resolver.cjs'),
    RESPONDENT_KEY_FILE: keyFile,
  });
  const create = (sub: string) => service.as({ sub, name: 'Ada' }).post(service.path, {});
  const [one, again, other] = [await create('7'), await create('7'), await create('8')];
  const found = await submitterOf(service, one);
  expect(found).toMatchObject({ authProvider: 'Pseudonym', appUserId: null, profile: {} });
  expect(found['displayId']).toMatch(/^Respondent [\w-]{8}$/);
  expect(again.body['submitterId']).toBe(one.body['submitterId']);
  expect(other.body['submitterId']).not.toBe(one.body['submitterId']);
});
