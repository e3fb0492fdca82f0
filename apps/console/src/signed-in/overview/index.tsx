import { Notice, Skeleton } from '@canvass/console-ui';
import { useSearchParams } from 'wouter';
import { useTexts } from '../../i18n';
import styles from '../list.module.css';
import { may, useMe } from '../me';
import { Page } from '../page';
import { DeliveriesPanel } from './deliveries-panel';
import { FirstRun } from './first-run';
import { useNewestForms } from './forms';
import { HealthPanel } from './health-panel';
import { RangeChoice } from '../range-choice';
import { SubmissionsPanel } from './submissions-panel';
import { JobsPanel, TroublePanel } from './trouble';
import { useRange } from '../use-range';

/** The page where a person starts: how much is answered, is everything in order, and what is next? */
export default function OverviewPage() {
  const texts = useTexts();
  const me = useMe();
  const [search] = useSearchParams();
  const { range, choose, zoom } = useRange();
  const forms = useNewestForms(may(me, 'listForms'));
  const [mayCount, mayDeliver] = [may(me, 'getSubmissionOverview'), may(me, 'getWebhookOverview')];
  const hasNumbers = mayCount || mayDeliver;
  const isFirstRun =
    forms.data?.next === null && forms.data.items.every(({ lastSubmissionAt }) => !lastSubmissionAt);
  return (
    <Page
      title={texts.overview}
      tools={hasNumbers && !isFirstRun && <RangeChoice range={range} choose={choose} />}
    >
      {search.get('notice') === 'other-user' && <Notice tone="warn">{texts.otherUser}</Notice>}
      {forms.isLoading ? (
        <Skeleton label={texts.loading} />
      ) : isFirstRun ? (
        <>
          <FirstRun forms={forms.data!} />
          <HealthPanel />
        </>
      ) : hasNumbers ? (
        <div className={styles.columns}>
          <div className={styles.side}>
            {mayCount && <SubmissionsPanel forms={forms.data} range={range} zoom={zoom} />}
            {mayDeliver && <TroublePanel range={range} />}
            {mayDeliver && <JobsPanel />}
          </div>
          <div className={styles.side}>
            <HealthPanel />
            {mayDeliver && <DeliveriesPanel range={range} zoom={zoom} />}
          </div>
        </div>
      ) : (
        <HealthPanel />
      )}
    </Page>
  );
}
