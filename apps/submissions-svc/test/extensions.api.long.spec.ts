import path from 'node:path';
import type { Principal } from '@canvass/auth';
import { configSchema } from '../src/config';
import { createSubmitters, loadResolver } from '../src/submitters';
import { startHarness, tenantOf } from './harness';

const fixture = (name: string) => path.join(__dirname, 'fixtures', name);
const settings = {
  DisplayIdClaimTypes: [],
  ProfileSnapshotFields: ['team'],
  Extractors: [],
  ExtractorTimeoutMs: 1000,
};

async function submitted(submitter: object, claims: Record<string, unknown>) {
  const test = await startHarness({ submitter });
  try {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { body } = await tenant
      .user({ sub: '1', ...claims })
      .post<Record<string, unknown>>(`/api/forms/${formId}/submissions`, {});
    const stored = await tenant.admin.get(`/api/submitters/${String(body['submitterId'])}`);
    return { submission: body, submitter: stored.body };
  } finally {
    await test.close();
  }
}

describe('Service:Submitter', () => {
  it('runs a custom extractor below 100 before the built-in ones and filters its result', async () => {
    const found = await submitted(
      { Extractors: [fixture('badge-extractor.js')], ProfileSnapshotFields: ['team'] },
      { badge: 'B-7' },
    );
    expect(found.submission).toMatchObject({
      submitterDisplayId: 'Badge B-7',
      submitterProfileSnapshot: { team: 'red' },
    });
    expect(found.submitter).toMatchObject({
      authProvider: 'Badge',
      externalSubjectId: 'B-7',
      profile: { team: 'red' },
    });
  });

  it('accepts an extractor that returns neither app user nor profile', async () => {
    const resolver = await loadResolver({ ...settings, Extractors: [fixture('plate-extractor.js')] });
    const caller: Principal = {
      kind: 'user',
      provider: 'Service',
      subject: '1',
      tenantId: '1',
      roles: [],
      claims: {},
      permissions: new Set(),
    };
    expect(
      await createSubmitters({ ...settings, IntegrationsMayName: [] }, resolver, []).ofCaller(caller),
    ).toEqual({
      authProvider: 'Plate',
      externalSubjectId: '7',
      displayId: 'Plate 7',
      appUserId: null,
      profile: {},
    });
  });

  it.each([
    [['first', 'second'], 'First'],
    [['second', 'first'], 'Second'],
  ])(
    'asks extractors of equal priority as configured, before a built-in one: %j',
    async (names, provider) => {
      const { submitter } = await submitted(
        { Extractors: names.map((name) => fixture(`${name}-extractor.js`)) },
        {},
      );
      expect(submitter).toMatchObject({ authProvider: provider });
    },
  );

  it('leaves callers that a custom extractor cannot extract to the built-in ones', async () => {
    const { submitter } = await submitted({ Extractors: [fixture('badge-extractor.js')] }, {});
    expect(submitter).toMatchObject({ authProvider: 'Service', appUserId: '1' });
  });

  it('lets a module replace the resolver', async () => {
    const { submitter } = await submitted(
      { Resolver: fixture('department-resolver.js') },
      { department: 'HR' },
    );
    expect(submitter).toMatchObject({ authProvider: 'Department', externalSubjectId: 'HR' });
  });

  it.each([
    [
      { Extractors: [fixture('missing.js')] },
      /^Service:Submitter:Extractors:0: the module .* cannot be loaded/,
    ],
    [
      { Extractors: [fixture('department-resolver.js')] },
      /^Service:Submitter:Extractors:0: .* exports no extractor/,
    ],
    [
      { Resolver: fixture('badge-extractor.js') },
      /^Service:Submitter:Resolver: .* exports no createResolver/,
    ],
    [
      { Resolver: fixture('no-resolver.js') },
      /^Service:Submitter:Resolver: createResolver\(\) of .* returned no object with resolve\(\)\.$/,
    ],
    [
      { Resolver: fixture('late-resolver.js') },
      /^Service:Submitter:Resolver: createResolver\(\) of .* failed: the directory is away$/,
    ],
  ])('stops the start for a module that is not one: %j', async (wrong, message) => {
    await expect(loadResolver({ ...settings, ...wrong })).rejects.toThrow(message);
  });

  it('is validated at start, naming the key', () => {
    const faultsOf = (Submitter: object) =>
      configSchema
        .validate({ Service: { Submitter } }, { abortEarly: false })
        .error?.details.map(({ path: at }) => at.join(':'))
        .filter((key) => key.startsWith('Service:Submitter'));
    expect(faultsOf({ ProfileSnapshotFields: ['ok', '1bad', 'a b'] })).toEqual([
      'Service:Submitter:ProfileSnapshotFields:1',
      'Service:Submitter:ProfileSnapshotFields:2',
    ]);
    const many = Array.from({ length: 21 }, (_, n) => `f${n}`);
    expect(faultsOf({ DisplayIdClaimTypes: many })).toEqual(['Service:Submitter:DisplayIdClaimTypes']);
    expect(faultsOf({ ExtractorTimeoutMs: 0 })).toEqual(['Service:Submitter:ExtractorTimeoutMs']);
    expect(faultsOf({ DisplayIdClaimTypes: ['https://x.org/claims/name', 'a.b:c-d_e'] })).toEqual([]);
  });
});
