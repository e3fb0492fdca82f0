import type { components } from '@canvass/client';
import { useEffect, useState } from 'react';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { I18nProvider } from 'react-aria-components';
import { Router, useLocation, useRouter } from 'wouter';
import { readConfiguration } from '../api';
import { consolePath } from '../base';
import { usePreferences } from '../i18n';
import { session } from '../session';
import { Answer } from './answer';
import { get } from './api';
import { ConfigurationContext } from './configuration';
import { useForgetting } from './forget';
import { MeContext } from './me';
import { loadPage } from './pages';
import { Shell } from './shell';

/** Faults are shown with a countdown to the next attempt, so that a query itself does not try again. */
function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5_000 } } });
}

/** The part of the console for users who are signed in. It forgets all data when it ends. */
export default function SignedIn() {
  const [client] = useState(createQueryClient);
  const { language } = usePreferences();
  return (
    <QueryClientProvider client={client}>
      <I18nProvider locale={language}>
        <Router base={consolePath}>
          <WithMe />
        </Router>
      </I18nProvider>
    </QueryClientProvider>
  );
}

function WithMe() {
  useForgetting();
  useFirstPage();
  const me = useQuery({
    queryKey: ['me'],
    staleTime: 60_000,
    queryFn: ({ signal }) => readMe(signal),
  });
  const configuration = useQuery({
    queryKey: ['configuration'],
    staleTime: Infinity,
    queryFn: readConfiguration,
  });
  return (
    <Answer query={configuration} operation="getConsoleConfiguration">
      {(settings) => (
        <Answer query={me} operation="getMe">
          {(data) => (
            <ConfigurationContext value={settings}>
              <MeContext value={{ ...data, hasOwnSignIn: settings.hasOwnSignIn }}>
                <Shell />
              </MeContext>
            </ConfigurationContext>
          )}
        </Answer>
      )}
    </Answer>
  );
}

async function readMe(signal: AbortSignal): Promise<components['schemas']['CurrentPrincipal']> {
  const first = await session.takeUser()?.catch(() => null);
  if (first?.ok === true) return (await first.json()) as components['schemas']['CurrentPrincipal'];
  return get('/api/auth/me', {}, signal);
}

/** Loads the code of the first page while the user is read. */
function useFirstPage(): void {
  const [path] = useLocation();
  const { parser } = useRouter();
  const [first] = useState(path);
  useEffect(() => loadPage(first, parser), [first, parser]);
}
