import { useSyncExternalStore } from 'react';
import { createSession, type SessionState } from './session';

/** The session of this page. */
export const session = createSession();

export const useSessionState = (): SessionState => useSyncExternalStore(session.subscribe, session.state);
