import { useEffect } from 'react';
import { consolePath } from '../base';
import icon from '../icon.svg';
import { languages, prefer, usePreferences, useTexts, type Language } from '../i18n';
import { SignInChoice, useWays } from './sign-in-choice';
import styles from './sign-in.module.css';

/** The page of those who are not signed in. */
export function SignInPage() {
  const texts = useTexts();
  const { language } = usePreferences();
  const ways = useWays();
  useEffect(() => {
    document.title = `${texts.signIn} · Canvass`;
  }, [texts]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <header className={styles.brand}>
          <img src={icon} alt="" />
          <div>
            <h1>{texts.signInTitle}</h1>
            <p className={styles.lead}>{texts.signInLead}</p>
          </div>
        </header>
        <div className={styles.boxed}>
          <SignInChoice ways={ways} />
        </div>
        {ways?.hasOwnSignIn && <a href={`${consolePath}/set-password`}>{texts.forgotten}</a>}
        <div className={styles.languages} role="group" aria-label={texts.language}>
          {(Object.entries(languages) as [Language, string][]).map(([own, name]) => (
            <button
              key={own}
              type="button"
              lang={own}
              className={styles.language}
              aria-pressed={own === language}
              onClick={() => prefer({ language: own })}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
    </main>
  );
}
