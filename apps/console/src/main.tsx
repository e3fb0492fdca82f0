import { Button, Skeleton, State } from '@canvass/console-ui';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { useTexts } from './i18n';
import { session, SignInPage, useSessionState } from './session';

/** Loaded after the sign-in, so that the sign-in page is small. */
const SignedIn = lazy(() => import('./signed-in'));

function App() {
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
