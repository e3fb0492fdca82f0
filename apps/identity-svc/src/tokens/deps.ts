import type { KeyRing, SecretBox } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import type { IdentitySettings } from '../config';

/** Dependencies of signing in; `app.ts` creates them. */
export interface TokenDeps {
  db: Database;
  keyRing: KeyRing;
  /** Opens the secrets of second factors. */
  box: SecretBox;
  settings: Pick<IdentitySettings, 'Auth' | 'Tokens' | 'SignIn'>;
  logger: Logger;
}
