import { Button, Notice } from '@canvass/console-ui';
import { useState } from 'react';
import { Fault } from '../api';
import { useTexts, type Texts } from '../i18n';
import type { Provider } from './provider';
import styles from './sign-in.module.css';
import { session } from './use-session';

export interface ProviderButtonsProps {
  providers: readonly Provider[];
  /** Returns whether this page stays, and another window is opened. */
  isBeside?: boolean;
}

/** A button for each external provider, and why the last sign-in there failed. */
export function ProviderButtons({ providers, isBeside = false }: ProviderButtonsProps) {
  const texts = useTexts();
  const [fault, setFault] = useState(session.refusal);
  const enter = (provider: Provider) => {
    setFault(null);
    const entered = isBeside ? session.signInBeside(provider) : session.signInAt(provider);
    entered.catch((error: unknown) => setFault(error instanceof Fault ? error : null));
  };
  return (
    <div className={styles.form}>
      {fault !== null && <Notice tone="bad">{sentenceOf(fault, texts)}</Notice>}
      {providers.map((provider) => (
        <Button key={provider.name} onClick={() => enter(provider)}>
          {texts.signInWith(provider.name)}
        </Button>
      ))}
    </div>
  );
}

/** Says why a sign-in at a provider failed. The words of the provider are for those who configure it. */
function sentenceOf(fault: Fault, texts: Texts): string {
  if (fault.status === 0) return texts.providerNotReachable;
  if (fault.code === 'window_blocked') return texts.windowBlocked;
  return [texts.providerRefused, fault.message].filter(Boolean).join(' ');
}
