import type { SettingsRef } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import type { SecretBox } from '@canvass/auth';
import { storeSettings } from './store-settings';
import { findSettings, keepVersion, type SettingsKnownRow } from './settings.sql';
import type { SettingsOwner } from './settings-owner';

/**
 * `known`: the version is in our tables. `unknown`: its owner does not have it. `away`: its owner does not
 * answer.
 */
export type SettingsState = 'known' | 'unknown' | 'away';

/** The relay's copy of webhook settings. */
export interface Settings {
  /** Stores the version, which is fetched once. The newest known version becomes the current one. */
  ensure(tenantId: string, ref: SettingsRef): Promise<SettingsState>;
  /** The same, but a version that a newer one has overtaken is not fetched. */
  ensureCurrent(tenantId: string, ref: SettingsRef): Promise<SettingsState>;
}

const rememberAtMost = 50_000;
/** The retention removes versions that have been out of force for weeks. */
const rememberMs = 3_600_000;
const restAfterFaultMs = 1_000;
const restAtMost = 1_000;

export function createSettings(db: Database, owner: SettingsOwner, box: SecretBox): Settings {
  const known = new Set<string>();
  const fetching = new Map<string, Promise<SettingsState>>();
  /** Versions that the owner cannot give, and until when they are not asked for. */
  const resting = new Map<string, number>();
  let restUntil = 0;
  let forgetAt = 0;

  const keyOf = (tenantId: string, { scope, scopeId, version }: SettingsRef) =>
    `${tenantId}/${scope}/${scopeId}/${version}`;

  function remember(key: string): void {
    if (known.size >= rememberAtMost) known.clear();
    known.add(key);
  }

  /** Versions never change, so that forgetting costs a query and nothing else. */
  function forgetNowAndThen(): void {
    if (performance.now() < forgetAt) return;
    known.clear();
    forgetAt = performance.now() + rememberMs;
  }

  function rest(key: string): void {
    if (resting.size >= restAtMost) resting.clear();
    resting.set(key, performance.now() + restAfterFaultMs);
  }

  async function fetchAndStore(tenantId: string, ref: SettingsRef, key: string): Promise<SettingsState> {
    // What is not to be had is not asked for again for every waiting event.
    if (performance.now() < Math.max(restUntil, resting.get(key) ?? 0)) return 'away';
    const settings = await owner.fetch(tenantId, ref);
    if (settings === 'away') restUntil = performance.now() + restAfterFaultMs;
    if (settings === 'unusable') {
      rest(key);
      return 'away';
    }
    if (typeof settings === 'string') return settings;
    await storeSettings(db, box, settings);
    remember(key);
    return 'known';
  }

  /** What is stored stays stored for longer than it is remembered. */
  async function find(tenantId: string, ref: SettingsRef): Promise<SettingsKnownRow> {
    const values = [tenantId, ref.scope, ref.scopeId, ref.version];
    const [row] = await db.query<SettingsKnownRow>(findSettings, values);
    const { stored, overtaken } = row!;
    return { overtaken, stored: stored && (!overtaken || (await db.query(keepVersion, values)).length > 0) };
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
    isEnough: (row: SettingsKnownRow) => boolean,
  ): Promise<SettingsState> {
    const key = keyOf(tenantId, ref);
    forgetNowAndThen();
    if (known.has(key)) return 'known';
    const row = await find(tenantId, ref);
    if (row.stored) remember(key);
    return isEnough(row) ? 'known' : fetchOnce(tenantId, ref, key);
  }

  return {
    ensure: (tenantId, ref) => ensure(tenantId, ref, ({ stored }) => stored),
    ensureCurrent: (tenantId, ref) => ensure(tenantId, ref, ({ stored, overtaken }) => stored || overtaken),
  };
}
