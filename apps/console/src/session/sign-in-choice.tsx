import { Skeleton } from '@canvass/console-ui';
import { useEffect, useState } from 'react';
import { readConfiguration, type Configuration } from '../api';
import { useTexts } from '../i18n';
import { ProviderButtons } from './provider-buttons';
import { SignInForm } from './sign-in-form';
import styles from './sign-in.module.css';

type Ways = Pick<Configuration, 'hasOwnSignIn' | 'signInProviders'>;

/** The ways to sign in; null until they are known. */
export function useWays(): Ways | null {
  const [ways, setWays] = useState<Ways | null>(null);
  useEffect(() => {
    // Without an answer, the form says so when it is sent.
    readConfiguration().then(setWays, () => setWays({ hasOwnSignIn: true, signInProviders: [] }));
  }, []);
  return ways;
}

/** The own sign-in, and a button for each external provider. */
export function SignInChoice({ ways }: { ways: Ways | null }) {
  const texts = useTexts();
  if (ways === null) return <Skeleton label={texts.loading} rows={3} />;
  const { hasOwnSignIn, signInProviders } = ways;
  return (
    <>
      {hasOwnSignIn && <SignInForm />}
      {hasOwnSignIn && signInProviders.length > 0 && <p className={styles.or}>{texts.or}</p>}
      {signInProviders.length > 0 && <ProviderButtons providers={signInProviders} />}
      {!hasOwnSignIn && signInProviders.length === 0 && <p>{texts.noSignIn}</p>}
    </>
  );
}
