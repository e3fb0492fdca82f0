import type { DatabaseSettings } from './settings';

export type MigrationUrls = Pick<DatabaseSettings, 'Url' | 'DirectUrl' | 'MigrationUrl'>;

export interface MigrationLogin {
  url: string;
  /** An option of `migrate`: the role of the service, if another one migrates. */
  grantTo: { grantTo?: string };
}

/** The one who migrates: the owner of the schema if it has a URL of its own, else the role of the service. */
export function migrationLogin({ Url, DirectUrl, MigrationUrl }: MigrationUrls): MigrationLogin {
  if (MigrationUrl === undefined) return { url: DirectUrl ?? Url, grantTo: {} };
  return { url: MigrationUrl, grantTo: { grantTo: decodeURIComponent(new URL(Url).username) } };
}
