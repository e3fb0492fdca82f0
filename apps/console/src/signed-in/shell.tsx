import { Button, Icon, Notice, Toasts } from '@canvass/console-ui';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link, Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import icon from '../icon.svg';
import { useTexts } from '../i18n';
import { AccountMenu } from './account-menu';
import { FaultState } from './answer';
import { Fault } from '../api';
import { CommandPalette } from './command-palette';
import { ErrorBoundary } from './error-boundary';
import { useMe } from './me';
import { ProofDialog } from './proof-dialog';
import { Navigation } from './navigation';
import { Outages } from './outages';
import { useOwnSettings } from './own-settings';
import { Page } from './page';
import { formerFormPages, missingOf, pages, type PageEntry } from './pages';
import { SignInAgain } from './sign-in-again';
import styles from './shell.module.css';

/** The frame of all pages: what there is, who one is, and the page itself. */
export function Shell() {
  const texts = useTexts();
  const me = useMe();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const isOnline = useOnline();
  useOwnSettings();

  // A new page begins at its top, also for a screen reader.
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    // A page may have begun in one of its fields.
    if (main.current?.contains(document.activeElement) !== true) main.current?.focus();
    window.scrollTo(0, 0);
  }, [path]);

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        {texts.skipToContent}
      </a>
      <header className={styles.bar}>
        <Link href="/" className={styles.brand}>
          <img src={icon} alt="" />
          Canvass
          <bdi className={styles.tenant}>{me.tenantName ?? me.tenantId}</bdi>
        </Link>
        <Button look="quiet" className={styles.search} onClick={() => setPaletteOpen(true)}>
          <Icon name="search" /> <span>{texts.palette}</span> <kbd>{texts.paletteKeys}</kbd>
        </Button>
        <AccountMenu />
      </header>
      {isOnline ? (
        <Outages />
      ) : (
        <div className={styles.banner}>
          <Notice tone="warn">{texts.offlineBanner}</Notice>
        </div>
      )}
      <Navigation />
      <main id="main" className={styles.main} ref={main} tabIndex={-1}>
        <Switch>
          {pages.map((page) => (
            <Route key={page.path} path={page.path}>
              <Permitted page={page} />
            </Route>
          ))}
          {Object.entries(formerFormPages).map(([former, end]) => (
            <Route key={former} path={`/forms/:formId/${former}`}>
              {({ formId }) => <Moved to={`/forms/${formId}${end}`} />}
            </Route>
          ))}
          <Route>
            <Refused status={404} operation="" />
          </Route>
        </Switch>
      </main>
      <CommandPalette isOpen={isPaletteOpen} setOpen={setPaletteOpen} />
      <SignInAgain />
      <ProofDialog />
      <Toasts />
    </div>
  );
}

/** The page, or which permission is missing. */
function Permitted({ page }: { page: PageEntry }) {
  const { component: Content } = page;
  const missing = missingOf(useMe(), page);
  if (missing !== undefined) return <Refused status={403} operation={missing} />;
  return (
    <ErrorBoundary>
      <Content />
    </ErrorBoundary>
  );
}

/** Leads from a former address to the present one, with what the former one asked for. */
function Moved({ to }: { to: string }) {
  const search = useSearch();
  return <Redirect to={search === '' ? to : `${to}?${search}`} replace />;
}

function Refused({ status, operation }: { status: number; operation: string }) {
  const texts = useTexts();
  const title = status === 403 ? texts.forbiddenTitle : texts.notFoundTitle;
  return (
    <Page title={title}>
      <FaultState error={new Fault(status)} operation={operation} retry={() => undefined} />
    </Page>
  );
}

/** Returns whether the browser has a network. */
function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}
