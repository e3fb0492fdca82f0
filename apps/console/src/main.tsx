import { Skeleton, State } from '@canvass/console-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readConfiguration } from './api';
import { consolePath } from './base';
import { useTexts } from './i18n';
import { loadable } from './loadable';
import { handToForm, session, SignInPage, useSessionState } from './session';
import { UnreachablePage } from './unreachable-page';

/** Apart, so that the sign-in page does not wait for it. */
const SignedIn = loadable(() => import('./signed-in'));

/** Needs no session: who opens it has forgotten the password, or never had one. */
const SetPasswordPage = loadable(() => import('./session/set-password-page'));

function App() {
  const isPassword = location.pathname === `${consolePath}/set-password`;
  return isPassword ? <SetPasswordPage /> : <Console />;
}

function Console() {
  const texts = useTexts();
  const state = useSessionState();
  switch (state) {
    case 'starting':
      return <Skeleton label={texts.loading} />;
    case 'unreachable':
      return <UnreachablePage />;
    case 'handed-over':
      return (
        <main>
          <State tone="good" title={texts.handedOverTitle}>
            {texts.handedOverText}
          </State>
        </main>
      );
    case 'signed-out':
      return <SignInPage />;
    case 'signed-in':
    case 'expired':
      return <SignedIn />;
  }
}

/** Shows the console. */
function show(): void {
  void session.start();
  // Most who open the console are signed in: what comes next is loaded while the session is renewed. What
  // cannot be loaded now is loaded again when it is needed.
  for (const early of [SignedIn.load(), readConfiguration()]) early.catch(() => undefined);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

if (!handToForm()) show();
