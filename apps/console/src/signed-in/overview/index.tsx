import { Notice } from '@canvass/console-ui';
import { useSearchParams } from 'wouter';
import { useTexts } from '../../i18n';
import { may, useMe } from '../me';
import { Page } from '../page';
import { DeliveriesPanel } from './deliveries-panel';
import { HealthPanel } from './health-panel';
import { useDeliveryNumbers } from './queries';
import type { Range } from '../range';
import { RangeChoice } from '../range-choice';
import { SubmissionsPanel } from './submissions-panel';
import { JobsPanel, TroublePanel } from './trouble';
import { useRange } from '../use-range';

/** The page where a person starts: is everything in order, and how much is going on? */
export default function OverviewPage() {
  const texts = useTexts();
  const me = useMe();
  const [search] = useSearchParams();
  const { range, choose, zoom } = useRange();
  const hasNumbers = ['getSubmissionOverview', 'getWebhookOverview'].some((own) => may(me, own));
  return (
    <Page title={texts.overview} tools={hasNumbers && <RangeChoice range={range} choose={choose} />}>
      {search.get('notice') === 'other-user' && <Notice tone="warn">{texts.otherUser}</Notice>}
      <HealthPanel />
      {may(me, 'getSubmissionOverview') && <SubmissionsPanel range={range} zoom={zoom} />}
      {may(me, 'getWebhookOverview') && <Deliveries range={range} zoom={zoom} />}
    </Page>
  );
}

function Deliveries({ range, zoom }: { range: Range; zoom(from: string, to: string): void }) {
  const numbers = useDeliveryNumbers(range);
  return (
    <>
      <DeliveriesPanel numbers={numbers} zoom={zoom} />
      <TroublePanel numbers={numbers} />
      <JobsPanel />
    </>
  );
}
