import { Mark, Notice, Panel } from '@canvass/console-ui';
import { Link, useSearchParams } from 'wouter';
import { useTexts } from '../i18n';
import { Answer } from './answer';
import { sentenceOf, tones, useHealth } from './health';
import { Page } from './page';
import styles from './overview.module.css';

/** Where a person starts: is everything in order? */
export function OverviewPage() {
  const texts = useTexts();
  const health = useHealth();
  const [search] = useSearchParams();
  return (
    <Page title={texts.overview}>
      {search.get('notice') === 'other-user' && <Notice tone="warn">{texts.otherUser}</Notice>}
      <Panel title={texts.health} tools={<Link href="/health">{texts.checks}</Link>}>
        <Answer query={health} operation="getHealthDetail">
          {({ status, checks }) => (
            <div className={styles.light}>
              <p className={styles.sentence}>
                <Mark tone={tones[status]} />
                {sentenceOf(status, texts)}
              </p>
              {status !== 'Healthy' && (
                <ul className={styles.faults}>
                  {checks
                    .filter((check) => check.status !== 'Healthy')
                    .map(({ name, description }) => (
                      <li key={name}>
                        <strong>{name}</strong> {description}
                      </li>
                    ))}
                </ul>
              )}
            </div>
          )}
        </Answer>
      </Panel>
    </Page>
  );
}
