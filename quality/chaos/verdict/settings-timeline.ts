import type { Change, SettingsValue } from '../records';
import { keyOf } from './verdict';

const eventNames: Record<string, string> = {
  'form.created': 'FormCreated',
  'form.updated': 'FormUpdated',
  'form.enabled_state_changed': 'FormEnabledStateChanged',
  'form.deleted': 'FormDeleted',
  'submission.completed': 'SubmissionCompleted',
  'submission.collection_status_changed': 'SubmissionCollectionStatusChanged',
};

/** True for events that webhooks carry. */
export const isWebhookEvent = (type: string): boolean => type in eventNames;

/** Which endpoints an event may have had, by what the checker itself saved and when. */
export class SettingsTimeline {
  private readonly byOwner = new Map<string, Change[]>();

  constructor(
    changes: readonly Change[],
    private readonly tenantId: string,
  ) {
    for (const change of changes) {
      if (change.settings === undefined || change.outcome === 'refused' || change.entityId === null) continue;
      const key = keyOf(change.entity, change.entityId);
      this.byOwner.set(key, [...(this.byOwner.get(key) ?? []), change]);
    }
  }

  /**
   * The lists of paths (sorted, joined by a space) of which one must be what a change of the form got, given when it was
   * made; several while settings were being changed at that moment, or where an answer about them was lost.
   */
  candidates(formId: string, type: string, sentAt: number, doneAt: number): Set<string> {
    const name = eventNames[type] ?? type;
    const paths = (value: SettingsValue) => [...(value?.[name] ?? [])].sort().join(' ');
    const own = this.inForce(keyOf('form', formId), sentAt, doneAt);
    const lists = own.filter((value) => value !== null).map(paths);
    if (own.length === 0 || own.includes(null)) {
      lists.push(...this.inForce(keyOf('tenant', this.tenantId), sentAt, doneAt).map(paths));
    }
    return new Set(lists);
  }

  private inForce(owner: string, sentAt: number, doneAt: number): SettingsValue[] {
    const saved = this.byOwner.get(owner) ?? [];
    // Sent at the latest among those that were done before the change began: what was done before that is overtaken.
    let latestSent = 0;
    for (const { outcome, sentAt: sent, doneAt: done } of saved) {
      if (outcome === 'acknowledged' && done < sentAt) latestSent = Math.max(latestSent, sent);
    }
    const overtaken = (change: Change) => change.outcome === 'acknowledged' && change.doneAt <= latestSent;
    return saved
      .filter((change) => change.sentAt <= doneAt && !overtaken(change))
      .map(({ settings = null }) => settings);
  }
}
