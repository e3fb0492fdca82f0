import type { components } from '@canvass/client';
import { createContext, useContext } from 'react';
import permissions, { ofIdentity } from 'virtual:permissions';

/** The user, and whether the installation has a sign-in of its own. */
export type Me = components['schemas']['CurrentPrincipal'] & { hasOwnSignIn: boolean };

/** Operations that an installation without identity-svc does not have. */
const ofOwnSignIn = new Set(ofIdentity.filter((operation) => operation !== 'getMe'));

/** The user of this page. */
export const MeContext = createContext<Me | null>(null);

/** @throws {Error} outside the signed-in part of the console */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === null) throw new Error('There is no user here.');
  return me;
}

/** The permission that an operation needs, or undefined if none. */
export const permissionOf = (operation: string): string | undefined => permissions[operation];

/** Returns whether a user may call an operation. */
export function may(me: Me, operation: string): boolean {
  if (!me.hasOwnSignIn && ofOwnSignIn.has(operation)) return false;
  const needed = permissionOf(operation);
  return needed === undefined || (me.permissions as readonly string[]).includes(needed);
}
