import { ForeignText } from '@canvass/console-ui';
import { useEffect, type ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary';
import { SameByApi } from './same-by-api';
import styles from './shell.module.css';

export interface PageProps {
  title: string;
  /** The part of the thing that the page shows. It is in the title of the window only. */
  part?: string;
  /** One sentence below the title. */
  lead?: ReactNode;
  /** Tools beside the title. */
  tools?: ReactNode;
  children: ReactNode;
}

/** A page: its only `h1`, and its title in the browser. */
export function Page({ title, part, lead, tools, children }: PageProps) {
  useEffect(() => {
    document.title = [title, part, 'Canvass'].filter(Boolean).join(' · ');
  }, [title, part]);
  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <div>
          <h1>
            <ForeignText>{title}</ForeignText>
          </h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {tools}
      </header>
      <ErrorBoundary>{children}</ErrorBoundary>
      <SameByApi />
    </div>
  );
}
