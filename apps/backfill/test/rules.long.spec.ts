import { backfill, verificationSql } from './command-call';
import { legacyDatabase, LegacyTenant, type LegacyDatabase } from './legacy-table';

let legacy: LegacyDatabase;
beforeEach(async () => void (legacy = await legacyDatabase()));
afterEach(() => legacy.drop());

const tenant = () => new LegacyTenant(legacy.db);
const linkOf = async (of: LegacyTenant, id: string) => (await of.row(id)).submitter_id;

describe('step A', () => {
  it('links a number that is the id of a submitter, whatever its provider', async () => {
    const t = tenant();
    const submitter = await t.submitter('Integration', 'crm-1');
    const row = await t.submission({ submittedBy: submitter });
    expect(await backfill(legacy.url)).toMatchObject({ status: 0, summary: { unlinked: 0, legacyKeys: 0 } });
    expect(await t.row(row)).toMatchObject({
      submitter_id: submitter,
      submitted_by: submitter,
      revision: '2',
    });
  });

  it("comes before B: a number that is one submitter's id and another's AppUserId is the id", async () => {
    const t = tenant();
    const byId = await t.submitter('Integration', 'crm-1', { id: '4711' });
    await t.submitter('Service', '4711', { appUserId: '4711' });
    const row = await t.submission({ submittedBy: '4711' });
    await backfill(legacy.url);
    expect(await linkOf(t, row)).toBe(byId);
  });

  it('does not look at what is linked already', async () => {
    const t = tenant();
    const [one, other] = [await t.submitter('Integration', 'a'), await t.submitter('Integration', 'b')];
    const row = await t.submission({ submittedBy: other, submitterId: one });
    await backfill(legacy.url);
    expect(await t.row(row)).toMatchObject({ submitter_id: one, submitted_by: one });
  });
});

describe('step B', () => {
  it('links a number that is the AppUserId of a submitter of the own provider', async () => {
    const t = tenant();
    const submitter = await t.submitter('Service', '42', { appUserId: '42' });
    const row = await t.submission({ submittedBy: '42' });
    expect(await backfill(legacy.url)).toMatchObject({ status: 0 });
    // D follows: the link and the mirror are two changes that the API shows.
    expect(await t.row(row)).toMatchObject({
      submitter_id: submitter,
      submitted_by: submitter,
      revision: '3',
    });
  });

  it("does not use the AppUserId of another provider's submitter", async () => {
    const t = tenant();
    await t.submitter('Integration', 'crm-1', { appUserId: '42' });
    const row = await t.submission({ submittedBy: '42' });
    expect(await backfill(legacy.url)).toMatchObject({ status: 1, reasons: { [row]: 'unknown_number' } });
  });
});

describe('step C', () => {
  it('links a text that is the subject of an external identity', async () => {
    const t = tenant();
    const submitter = await t.submitter('Keycloak', 'ada@example.org');
    const row = await t.submission({ submittedBy: 'ada@example.org' });
    expect(await backfill(legacy.url)).toMatchObject({ status: 0 });
    expect(await t.row(row)).toMatchObject({
      submitter_id: submitter,
      submitted_by: submitter,
      revision: '3',
    });
  });

  it.each(['Service', 'Integration', 'Homemade'])('does not take a subject of %s', async (provider) => {
    const t = tenant();
    await t.submitter(provider, 'ada');
    const row = await t.submission({ submittedBy: 'ada' });
    expect(await backfill(legacy.url)).toMatchObject({ reasons: { [row]: 'subject_of_another_provider' } });
    expect(await linkOf(t, row)).toBeNull();
  });

  it('accepts a provider named on the command line', async () => {
    const t = tenant();
    const submitter = await t.submitter('Okta', 'ada');
    const row = await t.submission({ submittedBy: 'ada' });
    expect(await backfill(legacy.url, ['--external-provider', 'Okta'])).toMatchObject({ status: 0 });
    expect(await linkOf(t, row)).toBe(submitter);
  });

  it('guesses nothing when two external providers have the subject', async () => {
    const t = tenant();
    await t.submitter('Okta', 'ada');
    await t.submitter('Keycloak', 'ada');
    const row = await t.submission({ submittedBy: 'ada' });
    expect(await backfill(legacy.url, ['--external-provider', 'Okta'])).toMatchObject({
      reasons: { [row]: 'ambiguous_subject' },
    });
  });
});

describe('linking', () => {
  it.each([
    ['99999999999999999999', 'beyond_64_bits'],
    ['9223372036854775808', 'beyond_64_bits'],
    ['9223372036854775807', 'unknown_number'],
    ['0', 'unknown_number'],
    ['0042', 'leading_zero'],
    ['-42', 'unknown_subject'],
    ['4.2e1', 'unknown_subject'],
    [' 42', 'unknown_subject'],
    ['42\n', 'unknown_subject'],
    ['٤٢', 'unknown_subject'],
    ['', 'empty'],
    ["'; drop table submissions; --", 'unknown_subject'],
    ['x'.repeat(100_000), 'unknown_subject'],
  ])('leaves SubmittedBy %j as it is: %s', async (submittedBy, reason) => {
    const t = tenant();
    await t.submitter('Service', '42', { appUserId: '42' });
    const row = await t.submission({ submittedBy });
    expect(await backfill(legacy.url)).toMatchObject({ status: 1, reasons: { [row]: reason } });
    expect(await t.row(row)).toMatchObject({ submitter_id: null, submitted_by: submittedBy, revision: '1' });
  });

  it('leaves a number that is only the subject of an external identity, of any length', async () => {
    const t = tenant();
    await t.submitter('Keycloak', '108234567890123456789');
    await t.submitter('Keycloak', '77');
    const rows = [
      await t.submission({ submittedBy: '108234567890123456789' }),
      await t.submission({ submittedBy: '77' }),
    ];
    expect(await backfill(legacy.url)).toMatchObject({
      reasons: { [rows[0]!]: 'numeric_subject', [rows[1]!]: 'numeric_subject' },
    });
  });

  it('never crosses tenants, in no step', async () => {
    const [here, there] = [tenant(), tenant()];
    const foreign = await there.submitter('Service', '42', { appUserId: '42' });
    await there.submitter('Keycloak', 'ada');
    const rows = [
      await here.submission({ submittedBy: foreign }),
      await here.submission({ submittedBy: '42' }),
      await here.submission({ submittedBy: 'ada' }),
    ];
    expect(await backfill(legacy.url)).toMatchObject({
      status: 1,
      summary: { unlinked: 3, legacyKeys: 0 },
      reasons: {
        [rows[0]!]: 'submitter_of_another_tenant',
        [rows[1]!]: 'unknown_number',
        [rows[2]!]: 'unknown_subject',
      },
    });
    for (const row of rows) expect(await linkOf(here, row)).toBeNull();
  });

  it('makes no submitters, no events, and leaves ModifiedAt and anonymous rows alone', async () => {
    const t = tenant();
    const submitter = await t.submitter('Keycloak', 'ada');
    const linked = await t.submission({ submittedBy: 'ada' });
    await t.submission({ submittedBy: 'eve' });
    const anonymous = await t.submission({});
    await backfill(legacy.url);
    expect(await legacy.db.query('select id from submitters')).toEqual([{ id: submitter }]);
    expect(await legacy.db.query('select from outbox')).toEqual([]);
    expect(await t.row(linked)).toMatchObject({ unchanged: true });
    expect(await t.row(anonymous)).toMatchObject({ submitter_id: null, revision: '1', unchanged: true });
    const [counts] = await legacy.db.query(verificationSql);
    expect(counts).toEqual({ unlinked: 1, legacyKeys: 0 });
  });
});
