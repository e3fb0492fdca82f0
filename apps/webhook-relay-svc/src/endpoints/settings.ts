import { LRUCache } from 'lru-cache';
import type { SettingsRef, SettingsResynced } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import type { SecretBox } from '@canvass/auth';
import { storeSettings } from './store-settings';
import {
  findLostScopes,
  findSettings,
  findSpecialTargets,
  keepVersion,
  type KnownSettings,
  type SpecialTarget,
} from './settings.sql';
import type { SettingsOwner } from './settings-owner';

/**
 * `known`: the version is in our tables. `unknown`: its owner does not have it. `away`: its owner does not
 * answer.
 */
export type SettingsState = 'known' | 'unknown' | 'away';

/** The relay's copy of webhook settings. */
export type Settings = ReturnType<typeof createSettings>;

const restAfterFaultMs = 1_000;

export function createSettings(db: Database, owner: SettingsOwner, box: SecretBox) {
  /**
   * Stored versions. They never change, so forgetting one costs a query and nothing else. The retention
   * removes those that have been out of force for weeks.
   */
  const known = new LRUCache<string, true>({ max: 50_000, ttl: 3_600_000 });
  /** Endpoints with filters or texts, by version and event. Most events have none. */
  const special = new LRUCache<string, readonly SpecialTarget[]>({
    max: 50_000,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: (targets) => 100 + 2 * JSON.stringify(targets).length,
  });
  /** Versions that the owner cannot give, which are not asked for. */
  const resting = new LRUCache<string, true>({ max: 1_000, ttl: restAfterFaultMs });
  const fetching = new Map<string, Promise<SettingsState>>();
  let restUntil = 0;

  const keyOf = (tenantId: string, { scope, scopeId, version }: SettingsRef) =>
    `${tenantId}/${scope}/${scopeId}/${version}`;

  async function fetchAndStore(tenantId: string, ref: SettingsRef, key: string): Promise<SettingsState> {
    // What is not to be had is not asked for again for every waiting event.
    if (performance.now() < restUntil || resting.has(key)) return 'away';
    const settings = await owner.fetch(tenantId, ref);
    if (settings === 'away') restUntil = performance.now() + restAfterFaultMs;
    if (settings === 'unusable') resting.set(key, true);
    if (typeof settings === 'string') return settings === 'unknown' ? 'unknown' : 'away';
    await storeSettings(db, box, settings);
    known.set(key, true);
    return 'known';
  }

  /** Finds settings: what is stored stays stored for longer than it is remembered. */
  async function find(tenantId: string, ref: SettingsRef): Promise<KnownSettings> {
    const [row] = await db.query(findSettings({ tenantId, ...ref }));
    const { stored, overtaken } = row!;
    const kept = stored && overtaken ? await db.query(keepVersion({ tenantId, ...ref })) : [];
    return { overtaken, stored: stored && (!overtaken || kept.length > 0) };
  }

  /** Events of one version that arrive together wait for one call. */
  function fetchOnce(tenantId: string, ref: SettingsRef, key: string): Promise<SettingsState> {
    const going = fetching.get(key);
    if (going) return going;
    const started = fetchAndStore(tenantId, ref, key).finally(() => fetching.delete(key));
    fetching.set(key, started);
    return started;
  }

  async function ensure(
    tenantId: string,
    ref: SettingsRef,
    isEnough: (found: KnownSettings) => boolean,
  ): Promise<SettingsState> {
    const key = keyOf(tenantId, ref);
    if (known.has(key)) return 'known';
    const row = await find(tenantId, ref);
    if (row.stored) known.set(key, true);
    return isEnough(row) ? 'known' : fetchOnce(tenantId, ref, key);
  }

  return {
    /** Stores the version, which is fetched once. The newest known version becomes the current one. */
    ensure: (tenantId: string, ref: SettingsRef) => ensure(tenantId, ref, ({ stored }) => stored),
    /** The endpoints of an event that have filters or want texts, by a version that is known. */
    async specialTargets(
      tenantId: string,
      ref: SettingsRef,
      eventName: string,
    ): Promise<readonly SpecialTarget[]> {
      const key = `${keyOf(tenantId, ref)} ${eventName}`;
      const known = special.get(key);
      if (known) return known;
      const found = await db.query(findSpecialTargets({ tenantId, ...ref, eventName }));
      special.set(key, found);
      return found;
    },
    /** The same, but a version that a newer one has overtaken is not fetched. */
    ensureCurrent: (tenantId: string, ref: SettingsRef) =>
      ensure(tenantId, ref, ({ stored, overtaken }) => stored || overtaken),
    /**
     * Ends settings that their owner lost: the tenant and forms that are not in the list have none, unless
     * their version is newer. A version without endpoints removes their endpoints.
     */
    async endLost(tenantId: string, { since, scopeIds }: SettingsResynced): Promise<void> {
      for (const lost of await db.query(findLostScopes({ tenantId, since, scopeIds })))
        await storeSettings(db, box, { tenantId, ...lost, version: since, events: {} });
    },
  };
}
