import { Panel } from '@canvass/console-ui';
import { useTexts } from '../../i18n';
import { useConfiguration } from '../configuration';
import { Facts } from '../facts';
import { useKindTexts } from '../kind-texts';
import { may, useMe } from '../me';
import { Page } from '../page';
import { useRoleNames } from '../role-texts';
import { OwnPassword } from './own-password';
import { OwnPreferences } from './own-preferences';
import { OwnProfile } from './own-profile';
import { OwnSecondFactor } from './own-second-factor';
import { useOwnTexts } from './own-texts';
import styles from './people.module.css';
import { SessionsPanel } from './sessions';

/** The page of what everyone may change of their own: display, password, second factor, sessions. */
export default function OwnPage() {
  const { settings } = useTexts();
  const texts = useOwnTexts();
  const me = useMe();
  const namesOf = useRoleNames();
  const { providers } = useKindTexts();
  const { version } = useConfiguration();
  return (
    <Page title={settings} lead={me.kind === 'user' ? undefined : texts.notOwn}>
      <div className={styles.columns}>
        <Panel title={texts.profile}>
          <Facts
            facts={[
              [texts.name, <bdi>{me.name || me.email || me.subject}</bdi>],
              [texts.tenant, <bdi>{me.tenantName ?? me.tenantId}</bdi>],
              [texts.roles, namesOf(me.roles)],
              [texts.provider, providers[me.provider] ?? me.provider],
              [texts.version, version],
            ]}
          />
          {me.kind === 'user' && may(me, 'changeMe') && <OwnProfile />}
        </Panel>
        <Panel title={texts.display}>
          <OwnPreferences />
        </Panel>
        {me.kind === 'user' && (
          <>
            <Panel title={texts.password}>
              <OwnPassword />
            </Panel>
            <Panel title={texts.secondFactor}>
              <OwnSecondFactor />
            </Panel>
          </>
        )}
      </div>
      {me.kind === 'user' && <SessionsPanel />}
    </Page>
  );
}
