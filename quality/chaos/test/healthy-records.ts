import type { Stored, StoredEndpoint, StoredEntity } from '../checker/stored';
import type { Change, ReceivedHook, SeenEvent } from '../records';
import { compare } from '../verdict/compare';
import type { Evidence, Findings } from '../verdict/evidence';

/** A change of submission 10. */
export const change = (revision: string, more: Partial<Change>): Change => ({
  entity: 'submission',
  operation: 'save',
  outcome: 'acknowledged',
  key: 'submission 10',
  formId: '1',
  sentAt: 100 * Number(revision),
  doneAt: 100 * Number(revision) + 10,
  revision,
  marker: `m${revision}`,
  events: ['submission.updated'],
  ...more,
});

const form = { key: 'form 1', marker: 'form' } as const;
const settings = { scope: 'form', scopeId: '1', version: '1' };

/** An event of submission 10. */
export const event = (
  id: string,
  type: string,
  revision: string,
  more: Partial<SeenEvent> = {},
): SeenEvent => ({
  at: 400,
  id,
  type,
  key: 'submission 10',
  formId: '1',
  revision,
  settings: null,
  digest: `d${id}`,
  marker: `m${revision}`,
  ...more,
});

/** One form with settings that send completions to /r/1, and one submission: created, updated, completed. */
export function healthy() {
  const changes = [
    change('1', {
      ...form,
      events: ['form.created'],
      sentAt: 1,
    }),
    change('1', { operation: 'create', events: ['submission.created'] }),
    change('2', {}),
    change('3', { operation: 'complete', events: ['submission.completed'] }),
  ];
  const events = [
    event('90', 'form.created', '1', { ...form, settings }),
    event('91', 'submission.created', '1'),
    event('92', 'submission.updated', '2'),
    event('93', 'submission.completed', '3', { settings }),
  ];
  const completion = {
    path: '/r/1',
    id: '93',
    type: 'submission_completed',
    key: 'submission 10' as const,
    revision: '3',
  };
  const hooks: ReceivedHook[] = [
    {
      ...completion,
      at: 450,
      marker: 'm3',
      digest: 'body',
      answered: 200,
    },
  ];
  const entities: StoredEntity[] = [
    { key: 'form 1', revision: '1', marker: 'form', deleted: false },
    { key: 'submission 10', revision: '3', marker: 'm3', deleted: false },
  ];
  const endpoints = { 'submission.completed': [{ id: '7', path: '/r/1', isEnabled: true }] };
  const stored = {
    entities,
    endpoints: [] as Stored['endpoints'],
    dead: [] as Stored['dead'],
    versions: new Map<string, Record<string, StoredEndpoint[]>>([['form/1/1', endpoints]]),
    deliveries: new Map<string, string>(),
  };
  return {
    changes,
    events,
    hooks,
    stored,
    pending: { due: { 'rows in the outboxes': 0 }, failed: { 'messages in service.dead': 0 } },
    waitedMs: 1,
  } satisfies Evidence;
}

export type HealthyRecords = ReturnType<typeof healthy>;

/** Findings in the healthy records after they were damaged. */
export function findingsAfter(damage: (records: HealthyRecords) => unknown): Findings {
  const records = healthy();
  damage(records);
  return compare(records).findings;
}
