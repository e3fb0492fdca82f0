import { Button } from '@canvass/console-ui';
import { useEffect, type ReactNode } from 'react';
import icon from '../icon.svg';
import { languages, prefer, usePreferences, useTexts, type Language } from '../i18n';
import styles from './sign-in.module.css';

interface CardPageProps {
  /** The heading. */
  title: string;
  /** The title in the browser, if it is another one. */
  name?: string;
  lead?: string;
  /** A link below the card. */
  link?: ReactNode;
  children: ReactNode;
}

/** A page of those who are not signed in: one card, and the choice of the language. */
export function CardPage({ title, name = title, lead, link, children }: CardPageProps) {
  const texts = useTexts();
  const { language } = usePreferences();
  useEffect(() => {
    document.title = `${name} · Canvass`;
  }, [name]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <header className={styles.brand}>
          <img src={icon} alt="" />
          <div>
            <h1>{title}</h1>
            {lead !== undefined && <p className={styles.lead}>{lead}</p>}
          </div>
        </header>
        <div className={styles.boxed}>{children}</div>
        {link}
        <div className={styles.languages} role="group" aria-label={texts.language}>
          {(Object.entries(languages) as [Language, string][]).map(([own, label]) => (
            <Button
              key={own}
              lang={own}
              look="quiet"
              aria-pressed={own === language}
              onClick={() => prefer({ language: own })}
            >
              {label}
            </Button>
          ))}
        </div>
      </div>
    </main>
  );
}
