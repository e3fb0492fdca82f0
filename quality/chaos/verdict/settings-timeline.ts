import { settingsNames } from '../checker/stored';
import type { Change, SettingsValue } from '../records';
import { groupBy } from './events';

/** The endpoints that an event may have, by what the checker itself saved and when. */
export class SettingsTimeline {
  private readonly byOwner: Map<string, Change[]>;

  constructor(changes: readonly Change[]) {
    const saved = changes.filter(
      ({ settings, outcome, key }) => settings !== undefined && outcome !== 'refused' && key !== null,
    );
    this.byOwner = groupBy(saved, ({ key }) => key ?? '');
  }

  /**
   * Returns the lists of paths (sorted, joined by a space) that a change of the form may have been sent to.
   * There are several if settings were being changed at that time, or if an answer about them was lost.
   */
  candidates(formId: string, type: string, { tenantId, sentAt, doneAt }: Change): Set<string> {
    const name = settingsNames[type] ?? type;
    const paths = (value: SettingsValue) => [...(value?.[name] ?? [])].sort().join(' ');
    const own = this.inForce(`form ${formId}`, sentAt, doneAt);
    const lists = own.filter((value) => value !== null).map(paths);
    if (own.length === 0 || own.includes(null)) {
      lists.push(...this.inForce(`tenant ${tenantId}`, sentAt, doneAt).map(paths));
    }
    return new Set(lists);
  }

  private inForce(owner: string, sentAt: number, doneAt: number): SettingsValue[] {
    const saved = this.byOwner.get(owner) ?? [];
    const before = saved.filter((change) => change.outcome === 'acknowledged' && change.doneAt < sentAt);
    // Settings that were saved before the latest of these was sent are replaced for certain.
    const latestSent = Math.max(0, ...before.map((change) => change.sentAt));
    const isReplaced = (change: Change) => change.outcome === 'acknowledged' && change.doneAt <= latestSent;
    return saved
      .filter((change) => change.sentAt <= doneAt && !isReplaced(change))
      .map(({ settings = null }) => settings);
  }
}
