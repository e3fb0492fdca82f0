import type { components } from '@canvass/client';
import { createContext, useContext } from 'react';
import permissions from 'virtual:permissions';

export type Me = components['schemas']['CurrentPrincipal'];

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

/** Whether a user may call an operation. */
export function may(me: Me, operation: string): boolean {
  const needed = permissionOf(operation);
  return needed === undefined || (me.permissions as readonly string[]).includes(needed);
}
