import type { StoredEntity } from '../checker/stored';
import { compare } from './compare';
import { isClean, noFindings, type Findings } from './evidence';
import {
  change,
  event,
  findingsAfter,
  healthy,
  type HealthyRecords as Records,
} from '../test/healthy-records';

const entity = (id: string, marker: string): StoredEntity => ({
  key: `submission ${id}`,
  revision: '1',
  marker,
  deleted: false,
});
const loseAnswerAndEvent = ({ changes, events }: Records) => {
  changes[2] = { ...changes[2]!, outcome: 'unknown', revision: null };
  events.splice(2, 1);
};
const cancel = ({ hooks, stored }: Records) => {
  hooks.pop();
  stored.deliveries.set('93 7', 'cancelled');
};
describe('the comparison', () => {
  it('finds nothing where nothing is wrong', () => {
    const verdict = compare(healthy());
    expect(verdict.findings).toEqual(noFindings());
    expect(isClean(verdict.findings)).toBe(true);
    expect(verdict.counts).toMatchObject({ 'changes acknowledged': 4, 'deliveries expected': 1 });
  });

  it('takes the event of a save that an endpoint asks for', () => {
    const records = healthy();
    records.events[2]!.type = 'submission.saved';
    expect(compare(records).findings).toEqual(noFindings());
  });

  const finds = (
    what: string,
    kind: keyof Findings,
    finding: RegExp,
    damage: (records: Records) => unknown,
  ): void => {
    it(`finds ${what}`, () => expect(findingsAfter(damage)[kind].join()).toMatch(finding));
  };

  finds(
    'an acknowledged submission that is not stored',
    'lost',
    /10: acknowledged .*not stored/,
    ({ stored }) => stored.entities.pop(),
  );
  finds(
    'an acknowledged revision that was undone',
    'lost',
    /revision 3 .* revision 2 is stored/,
    ({ stored }) => {
      stored.entities[1]!.revision = '2';
    },
  );
  finds('a change that was overwritten', 'lost', /wrote m3, but m2 is stored/, ({ stored }) => {
    stored.entities[1]!.marker = 'm2';
  });
  finds('an event that was not published', 'lost', /submission.updated was not published/, ({ events }) =>
    events.splice(2, 1),
  );
  finds('a revision without an event', 'gaps', /^submission 10: no event of revision 2 of 3$/, ({ events }) =>
    events.splice(2, 1),
  );
  finds(
    'events of an entity that came in another order',
    'order',
    /^submission 10: submission.updated of revision 2 came after submission.completed of revision 3$/,
    ({ events }) => events.push(events.splice(2, 1)[0]!),
  );
  finds(
    'a report of the relay that was not published',
    'gaps',
    /^endpoint 7: no event of revision 2 of 2$/,
    (records) => {
      records.stored.endpoints.push({ key: 'endpoint 7', revision: '2' });
      records.events.push(event('95', 'webhook.endpoint_failing', '1', { key: 'endpoint 7', marker: null }));
    },
  );
  finds('a dead delivery that was not reported', 'lost', /^delivery 5 is dead/, ({ stored }) =>
    stored.dead.push('delivery 5'),
  );
  finds('the gap of a change without an answer', 'gaps', /revision 2/, loseAnswerAndEvent);
  finds('a delivery that did not come', 'lost', /93 .* was not delivered to \/r\/1/, ({ hooks }) =>
    hooks.pop(),
  );
  finds('a delivery that was never accepted', 'lost', /93 .* was not delivered/, ({ hooks }) => {
    hooks[0]!.answered = 500;
  });
  finds('a delivery that was cancelled without a reason', 'lost', /the relay says: cancelled/, cancel);
  finds('a delivery to a wrong endpoint', 'phantom', /sent to \/r\/5, which should not get it/, ({ hooks }) =>
    hooks.push({ ...hooks[0]!, path: '/r/5' }),
  );
  finds('an event of what is not stored', 'phantom', /event 98 .*not stored/, ({ events }) =>
    events.push(event('98', 'submission.updated', '4')),
  );
  finds('a delivery of what is not stored', 'phantom', /hook 99 .*not stored/, ({ hooks }) =>
    hooks.push({ ...hooks[0]!, id: '99', key: 'submission 11' }),
  );
  finds('an effect of a refused change', 'phantom', /holds m3, which was refused/, ({ changes }) =>
    changes.push(change('2', { outcome: 'refused', revision: null, marker: 'm3' })),
  );
  finds('a stored submission without a request', 'phantom', /12 .*no request created it/, ({ stored }) =>
    stored.entities.push(entity('12', 'x')),
  );
  finds('a create that was carried out twice', 'phantom', /13 and submission 12 both hold m1/, (records) => {
    records.changes[1] = { ...records.changes[1]!, outcome: 'unknown', key: null, revision: null };
    records.stored.entities.push(entity('12', 'm1'), entity('13', 'm1'));
  });
  finds('a second submission of a repeated create', 'phantom', /12 .*no request created it/, (records) => {
    records.changes[1] = { ...records.changes[1]!, keyed: { repeats: 1, replayed: false } };
    records.stored.entities.push(entity('12', 'm1'));
  });
  finds('a delivery with other bytes', 'changedBytes', /hook 93/, ({ hooks }) =>
    hooks.push({ ...hooks[0]!, digest: 'other' }),
  );
  finds('an event with other bytes', 'changedBytes', /event 91/, ({ events }) =>
    events.push({ ...events[1]!, digest: 'other' }),
  );
  finds('pending work', 'notDrained', /^3 rows in the outboxes$/, ({ pending }) => {
    pending.due['rows in the outboxes'] = 3;
  });
  const accepts = (what: string, damage: (records: Records) => unknown): void => {
    it(`accepts ${what}`, () => expect(findingsAfter(damage)).toEqual(noFindings()));
  };

  accepts('a cancelled delivery if later settings removed its endpoint', (records) => {
    cancel(records);
    records.stored.versions.set('form/1/186512345670000064', { 'submission.completed': [] });
  });
  it('does not report a change without an answer as lost', () => {
    expect(findingsAfter(loseAnswerAndEvent).lost).toEqual([]);
  });

  it('counts repeated messages with the same bytes as duplicates', () => {
    const records = healthy();
    records.hooks.push({ ...records.hooks[0]!, at: 900 });
    records.events.push({ ...records.events[1]! });
    const { findings, counts } = compare(records);
    expect(isClean(findings)).toBe(true);
    expect(counts).toMatchObject({ 'deliveries accepted again': 1, 'events that came again': 1 });
  });
});
