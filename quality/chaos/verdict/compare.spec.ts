import type { LeasedAtKill } from '../checker/stored';
import type { Change, ReceivedHook, Resend, SeenEvent, StoredEntity } from '../records';
import { compare } from './compare';
import { isClean, type Evidence } from './verdict';

/** One form whose settings send completions to /r/1, with one submission: created, updated, completed. */
function healthy() {
  const change = (revision: string, more: Partial<Change>): Change => ({
    entity: 'submission',
    operation: 'save',
    outcome: 'acknowledged',
    status: 200,
    entityId: '10',
    formId: '1',
    sentAt: 100 * Number(revision),
    doneAt: 100 * Number(revision) + 10,
    revision,
    marker: `m${revision}`,
    events: ['submission.updated'],
    ...more,
  });
  const changes: Change[] = [
    change('1', {
      entity: 'form',
      entityId: '1',
      marker: 'form',
      events: ['form.created'],
      settings: { SubmissionCompleted: ['/r/1'] },
      sentAt: 1,
      doneAt: 2,
    }),
    change('1', { operation: 'create', events: ['submission.created'] }),
    change('2', {}),
    change('3', { operation: 'complete', events: ['submission.completed'] }),
  ];
  const settings = { scope: 'form', scopeId: '1', version: '1' };
  const event = (id: string, type: string, revision: string, more: Partial<SeenEvent> = {}): SeenEvent => ({
    at: 400,
    id,
    type,
    entity: 'submission',
    entityId: '10',
    formId: '1',
    revision,
    settings: null,
    digest: `d${id}`,
    marker: `m${revision}`,
    redelivered: false,
    ...more,
  });
  const events: SeenEvent[] = [
    event('90', 'form.created', '1', { entity: 'form', entityId: '1', marker: 'form', settings }),
    event('91', 'submission.created', '1'),
    event('92', 'submission.updated', '2'),
    event('93', 'submission.completed', '3', { settings }),
  ];
  const hooks: ReceivedHook[] = [
    {
      at: 450,
      path: '/r/1',
      hookId: '93',
      event: 'submission_completed',
      entityId: '10',
      revision: '3',
      marker: 'm3',
      digest: 'body',
      answered: 200,
    },
  ];
  const entities: StoredEntity[] = [
    { entity: 'form', id: '1', formId: '1', revision: '1', marker: 'form', deleted: false },
    { entity: 'submission', id: '10', formId: '1', revision: '3', marker: 'm3', deleted: false },
  ];
  const endpoint = { id: '7', path: '/r/1', isEnabled: true };
  const stored = {
    entities,
    versions: new Map([['form/1/1', { 'submission.completed': [endpoint] }]]),
    deliveries: new Map<string, string>(),
    copyFaults: [] as string[],
    leased: [] as LeasedAtKill[],
  };
  const quiet = {
    outboxRows: 0,
    poisonedRows: 0,
    pendingDeliveries: 0,
    queuedMessages: 0,
    deadLetters: 0,
    waitedMs: 1,
    detail: '',
  };
  const resends: Resend[] = [];
  const times = { faults: [], ceasedAt: 500, longestResendMs: 60_000 as number | null };
  return { changes, events, hooks, stored, quiet, resends, ...times } satisfies Evidence;
}

type Records = ReturnType<typeof healthy>;

/** Findings of the healthy records after something was done to them. */
function findingsAfter(damage: (records: Records) => void) {
  const records = healthy();
  damage(records);
  return compare(records).findings;
}

describe('the comparison', () => {
  it('finds nothing where nothing is wrong', () => {
    const verdict = compare(healthy());
    expect(verdict.findings).toEqual({
      lost: [],
      phantom: [],
      gaps: [],
      changedBytes: [],
      copies: [],
      late: [],
      unrest: [],
    });
    expect(isClean(verdict)).toBe(true);
    expect(verdict.counts).toMatchObject({ acknowledged: 4, expectedDeliveries: 1, acceptedDeliveries: 1 });
  });

  it('finds an acknowledged submission that is not stored', () => {
    const { lost } = findingsAfter(({ stored }) => void stored.entities.pop());
    expect(lost.join()).toMatch(/submission 10: acknowledged .*not stored/);
  });

  it('finds an acknowledged revision that was undone', () => {
    const { lost } = findingsAfter(({ stored }) => (stored.entities[1]!.revision = '2'));
    expect(lost.join()).toMatch(/revision 3 was acknowledged, revision 2 is stored/);
  });

  it('finds a change that was overwritten', () => {
    const { lost } = findingsAfter(({ stored }) => (stored.entities[1]!.marker = 'm2'));
    expect(lost.join()).toMatch(/wrote m3, but m2 is stored/);
  });

  it('finds an event that was not published: a loss and a gap', () => {
    const { lost, gaps } = findingsAfter(({ events }) => void events.splice(2, 1));
    expect(lost.join()).toMatch(/submission.updated was not published/);
    expect(gaps).toEqual(['submission 10: no event of revision 2 of 3']);
  });

  it('finds the gap of a change whose answer was lost', () => {
    const { lost, gaps } = findingsAfter(({ changes, events }) => {
      changes[2] = { ...changes[2]!, outcome: 'unknown', revision: null };
      events.splice(2, 1);
    });
    expect(lost).toEqual([]);
    expect(gaps).toHaveLength(1);
  });

  it('finds a delivery that did not come, or was never accepted', () => {
    const missing = findingsAfter(({ hooks }) => void hooks.pop());
    expect(missing.lost.join()).toMatch(/event 93 .* was not delivered to \/r\/1/);
    const refused = findingsAfter(({ hooks }) => (hooks[0]!.answered = 500));
    expect(refused.lost).toHaveLength(1);
  });

  it('excuses a delivery that ended because its endpoint was removed', () => {
    const excused = findingsAfter(({ hooks, stored }) => {
      hooks.pop();
      stored.deliveries.set('93 7', 'cancelled');
      stored.versions.set('form/1/2', { 'submission.completed': [] });
    });
    expect(excused.lost).toEqual([]);
    const unexcused = findingsAfter(({ hooks, stored }) => {
      hooks.pop();
      stored.deliveries.set('93 7', 'cancelled');
    });
    expect(unexcused.lost).toHaveLength(1);
  });

  it('finds settings that were not in force', () => {
    const { lost } = findingsAfter(
      ({ changes }) => (changes[0]!.settings = { SubmissionCompleted: ['/r/2'] }),
    );
    expect(lost.join()).toMatch(/went by settings for "\/r\/1", in force were "\/r\/2"/);
  });

  it('finds a delivery that nobody should get', () => {
    const { phantom } = findingsAfter(({ hooks }) => void hooks.push({ ...hooks[0]!, path: '/r/5' }));
    expect(phantom.join()).toMatch(/sent to \/r\/5, which should not get it/);
  });

  it('finds a delivery and an event of what is not stored', () => {
    const { phantom } = findingsAfter(({ hooks, events }) => {
      hooks.push({ ...hooks[0]!, hookId: '99', entityId: '11' });
      events.push({ ...events[2]!, id: '98', revision: '4' });
    });
    expect(phantom.join()).toMatch(/event 98 .*not stored/);
    expect(phantom.join()).toMatch(/hook 99 .*not stored/);
  });

  it('finds an effect of a refused change', () => {
    const { phantom } = findingsAfter(({ changes }) => {
      changes.push({ ...changes[2]!, outcome: 'refused', revision: null, marker: 'm3', events: [] });
    });
    expect(phantom.join()).toMatch(/holds m3, which was refused/);
  });

  it('finds a stored submission that nobody made', () => {
    const { phantom } = findingsAfter(({ stored }) => {
      stored.entities.push({
        entity: 'submission',
        id: '12',
        formId: '1',
        revision: '1',
        marker: 'x',
        deleted: false,
      });
    });
    expect(phantom.join()).toMatch(/submission 12 .*no request made it/);
  });

  it('finds a create that was carried out twice', () => {
    const { phantom } = findingsAfter(({ changes, stored }) => {
      changes[1] = { ...changes[1]!, outcome: 'unknown', entityId: null, revision: null };
      stored.entities.push({ ...stored.entities[1]!, id: '12', marker: 'm1', revision: '1' });
      stored.entities.push({ ...stored.entities[1]!, id: '13', marker: 'm1', revision: '1' });
    });
    expect(phantom.join()).toMatch(/submission 13 and submission 12 both hold m1/);
  });

  it('finds a second submission of a create that was repeated with its key', () => {
    const { phantom } = findingsAfter(({ changes, stored }) => {
      changes[1] = { ...changes[1]!, keyed: { repeats: 1, replayed: false } };
      stored.entities.push({ ...stored.entities[1]!, id: '12', marker: 'm1', revision: '1' });
    });
    expect(phantom.join()).toMatch(/submission 12 .*no request made it/);
  });

  it('finds answers that were to be erased, and excuses those that were', () => {
    const erasure = { operation: 'erase', marker: null, erases: true, deletes: true, events: [] };
    const erase = (records: Records) => {
      records.changes.push({ ...records.changes[3]!, ...erasure, revision: '4' });
      records.events.push({
        ...records.events[2]!,
        id: '94',
        type: 'submission.deleted',
        revision: '4',
        marker: null,
      });
      Object.assign(records.stored.entities[1]!, { revision: '4', deleted: true, marker: null });
    };
    expect(findingsAfter(erase)).toMatchObject({ lost: [], phantom: [], gaps: [] });
    const kept = findingsAfter((records) => {
      erase(records);
      records.stored.entities[1]!.marker = 'm3';
    });
    expect(kept.lost.join()).toMatch(/its erasure was acknowledged, but it holds m3/);
  });

  it('takes the same again as a duplicate, and the same with other bytes as a fault', () => {
    const same = healthy();
    same.hooks.push({ ...same.hooks[0]!, at: 900 });
    same.events.push({ ...same.events[1]!, redelivered: true });
    const verdict = compare(same);
    expect(isClean(verdict)).toBe(true);
    expect(verdict.duplicates).toMatchObject({ hooks: 1, events: 1 });
    const other = findingsAfter(({ hooks, events }) => {
      hooks.push({ ...hooks[0]!, digest: 'other' });
      events.push({ ...events[1]!, digest: 'other' });
    });
    expect(other.changedBytes).toHaveLength(2);
  });

  it('tells of stale copies and of what still moves', () => {
    const { copies, unrest } = findingsAfter(({ stored, quiet }) => {
      stored.copyFaults.push('form access of form 1');
      quiet.outboxRows = 3;
    });
    expect(copies).toHaveLength(1);
    expect(unrest).toEqual(['3 rows in the outboxes']);
  });
});
