import { ownProvider } from '@canvass/auth';
import type { Actor } from '@canvass/service-kit';

/** The actor of a sign-in or sign-out, whose request has no verified caller. */
export const ownActor = (kind: 'user' | 'service', subject: string): Actor => ({
  provider: ownProvider,
  kind,
  subject,
});
