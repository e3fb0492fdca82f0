import { useState } from 'react';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { I18nProvider } from 'react-aria-components';
import { Router } from 'wouter';
import { readConfiguration } from '../api';
import { consolePath } from '../base';
import { usePreferences } from '../i18n';
import { Answer } from './answer';
import { api, dataOf } from './api';
import { ConfigurationContext } from './configuration';
import { useForgetting } from './forget';
import { MeContext } from './me';
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
  const me = useQuery({
    queryKey: ['me'],
    staleTime: 60_000,
    queryFn: ({ signal }) => dataOf(api.GET('/api/auth/me', { signal })),
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
