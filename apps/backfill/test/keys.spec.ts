import { backfill, verificationSql } from './command-call';
import { legacyDatabase, LegacyTenant, type LegacyDatabase } from './legacy-table';

let legacy: LegacyDatabase;
let t: LegacyTenant;
let form: string;
let ada: string;
beforeEach(async () => {
  legacy = await legacyDatabase();
  t = new LegacyTenant(legacy.db);
  form = await t.form();
  ada = await t.submitter('Service', '42', { appUserId: '42' });
});
afterEach(() => legacy.drop());

const legacyKey = (by: string) => `SingleSubmission:Form:${form}:User:${by}`;
const currentKey = () => `SingleSubmission:Form:${form}:Submitter:${ada}`;
const keyOf = async (id: string) => (await t.row(id)).restriction_key;

describe('step D', () => {
  it('sets SubmittedBy to the text of SubmitterId where it differs, also where it is null, deleted or a test', async () => {
    const rows = [
      await t.submission({ submitterId: ada, submittedBy: '42' }),
      await t.submission({ submitterId: ada }),
      await t.submission({ submitterId: ada, submittedBy: 'x', deleted: true }),
      await t.submission({ submitterId: ada, submittedBy: 'x', isTest: true }),
    ];
    const right = await t.submission({ submitterId: ada, submittedBy: ada });
    expect(await backfill(legacy.url)).toMatchObject({ status: 0 });
    for (const row of rows)
      expect(await t.row(row)).toMatchObject({ submitted_by: ada, submitter_id: ada, revision: '2' });
    expect(await t.row(right)).toMatchObject({ revision: '1' });
  });
});

describe('step E', () => {
  it('brings a key into the current shape, of rows linked before and by this run', async () => {
    const now = await t.submission({ form, submittedBy: '42', restrictionKey: legacyKey('42') });
    const otherForm = await t.form();
    const before = await t.submission({
      form: otherForm,
      submitterId: ada,
      restrictionKey: 'some other shape',
    });
    expect(await backfill(legacy.url)).toMatchObject({ status: 0 });
    expect(await keyOf(now)).toBe(currentKey());
    expect(await keyOf(before)).toBe(`SingleSubmission:Form:${otherForm}:Submitter:${ada}`);
    // Linked and mirrored; the key is nothing that the API shows.
    expect(await t.row(now)).toMatchObject({ revision: '3' });
  });

  it('leaves tests, keys that are null or current, and rows without a submitter', async () => {
    const test = await t.submission({
      form,
      submitterId: ada,
      isTest: true,
      restrictionKey: legacyKey('42'),
    });
    const none = await t.submission({ form, submitterId: ada, submittedBy: ada });
    const strange = await t.submission({ form, submitterId: ada, restrictionKey: 'x:Submitter:y' });
    const orphan = await t.submission({ form, submittedBy: 'gone', restrictionKey: legacyKey('gone') });
    expect(await backfill(legacy.url)).toMatchObject({ summary: { unlinked: 1, legacyKeys: 0 } });
    expect(await keyOf(test)).toBe(legacyKey('42'));
    expect(await keyOf(none)).toBeNull();
    expect(await keyOf(strange)).toBe('x:Submitter:y');
    expect(await keyOf(orphan)).toBe(legacyKey('gone'));
  });

  it("assigns the key to the oldest of a respondent's rows and reports the others", async () => {
    const oldest = await t.submission({ form, submittedBy: '42', restrictionKey: legacyKey('42') });
    const second = await t.submission({ form, submittedBy: ada, restrictionKey: legacyKey(ada) });
    const result = await backfill(legacy.url);
    expect(result).toMatchObject({ status: 1, summary: { unlinked: 0, legacyKeys: 1 } });
    expect(result.lines[0]).toMatchObject({
      kind: 'legacy_key',
      submissionId: second,
      tenantId: t.id,
      formId: form,
      reason: 'restriction_key_taken',
      heldBy: oldest,
    });
    expect(await keyOf(oldest)).toBe(currentKey());
    expect(await keyOf(second)).toBe(legacyKey(ada));
    expect(await legacy.db.query(verificationSql)).toEqual([{ unlinked: 0, legacyKeys: 1 }]);
  });

  it('reports a key that a row of the current shape has; once that is deleted, a further run assigns it', async () => {
    const old = await t.submission({ form, submittedBy: '42', restrictionKey: legacyKey('42') });
    const young = await t.submission({
      form,
      submitterId: ada,
      submittedBy: ada,
      restrictionKey: currentKey(),
    });
    const first = await backfill(legacy.url);
    expect(first).toMatchObject({ status: 1, reasons: { [old]: 'restriction_key_taken' } });
    expect(first.lines[0]).toMatchObject({ heldBy: young });
    await legacy.db.query('update submissions set deleted_at = now() where id = $1', [young]);
    expect(await backfill(legacy.url)).toMatchObject({ status: 0, summary: { unlinked: 0, legacyKeys: 0 } });
    expect(await keyOf(old)).toBe(currentKey());
  });

  it('rewrites keys of deleted rows, which hold no gate', async () => {
    const deleted = { form, submitterId: ada, deleted: true };
    const rows = [
      await t.submission({ ...deleted, restrictionKey: legacyKey('a') }),
      await t.submission({ ...deleted, restrictionKey: legacyKey('b') }),
    ];
    expect(await backfill(legacy.url)).toMatchObject({ status: 0 });
    for (const row of rows) expect(await keyOf(row)).toBe(currentKey());
  });
});
