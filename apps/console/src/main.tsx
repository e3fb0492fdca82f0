import { Button, Skeleton, State } from '@canvass/console-ui';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { consolePath } from './base';
import { useTexts } from './i18n';
import { session, SignInPage, useSessionState } from './session';

/** Loaded after the sign-in, so that the sign-in page is small. */
const SignedIn = lazy(() => import('./signed-in'));

/** Needs no session: who opens it has forgotten the password, or never had one. */
const SetPasswordPage = lazy(() => import('./session/set-password-page'));

function App() {
  const { loading } = useTexts();
  if (location.pathname === `${consolePath}/set-password`) {
    return (
      <Suspense fallback={<Skeleton label={loading} />}>
        <SetPasswordPage />
      </Suspense>
    );
  }
  return <Console />;
}

function Console() {
  const texts = useTexts();
  const state = useSessionState();
  switch (state) {
    case 'starting':
      return <Skeleton label={texts.loading} />;
    case 'unreachable':
      return (
        <main>
          <State
            tone="bad"
            title={texts.notReachableTitle}
            actions={<Button onClick={() => void session.start()}>{texts.retry}</Button>}
          >
            {texts.notReachableText}
          </State>
        </main>
      );
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
      return (
        <Suspense fallback={<Skeleton label={texts.loading} />}>
          <SignedIn />
        </Suspense>
      );
  }
}

void session.start();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
