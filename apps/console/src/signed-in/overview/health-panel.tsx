import { Mark, Panel } from '@canvass/console-ui';
import { Link } from 'wouter';
import type { ServiceCheck } from '../../api';
import { usePreferences, useTexts } from '../../i18n';
import { Answer } from '../answer';
import { FailedChecks } from '../failed-checks';
import { tones, useHealth } from '../health';
import { saidIn } from '../health-texts';
import lists from '../list.module.css';
import styles from './overview.module.css';

/** The traffic light: whether the services work; if not, what fails and since when. */
export function HealthPanel() {
  const texts = useTexts();
  const health = useHealth();
  const skeleton = (
    <div className={lists.work}>
      <p className={styles.sentence}>{'\u00a0'}</p>
    </div>
  );
  return (
    <Panel title={texts.health} tools={<Link href="/health">{texts.checks}</Link>}>
      <Answer query={health} operation="getHealthDetail" skeleton={skeleton}>
        {(report) => (
          <div className={lists.work}>
            <p className={styles.sentence}>
              <Mark tone={tones[report.status]} />
              {texts.healthSentences[report.status]}
            </p>
            <Faults checks={report.checks.filter(({ status }) => status !== 'Healthy')} />
          </div>
        )}
      </Answer>
    </Panel>
  );
}

/** The failed checks of the gateway, and below each those of its service. */
function Faults({ checks }: { checks: readonly ServiceCheck[] }) {
  const { language } = usePreferences();
  if (checks.length === 0) return null;
  return (
    <ul className={lists.bullets}>
      {checks.map((check) => (
        <li key={check.name}>
          <strong>{check.name}</strong> {saidIn(language, check.description)}
          <FailedChecks of={check} />
        </li>
      ))}
    </ul>
  );
}
