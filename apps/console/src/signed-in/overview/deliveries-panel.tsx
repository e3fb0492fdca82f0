import type { components } from '@canvass/client';
import { Panel, TimePlot } from '@canvass/console-ui';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { useFormats } from '../formats';
import { deliveriesPath } from '../deliveries-path';
import { Figures, FiguresSkeleton } from './figures';
import { usePlotTexts } from '../plot-texts';
import type { Range } from '../range';
import { useDeliveryNumbers } from './queries';
import { useOverviewTexts } from './texts';

type Numbers = components['schemas']['WebhookOverview'];

interface DeliveriesProps {
  range: Range;
  zoom(from: string, to: string): void;
}

/** Attempts in the range, and what waits now. */
export function DeliveriesPanel({ range, zoom }: DeliveriesProps) {
  const numbers = useDeliveryNumbers(range);
  const { deliveries: title } = useTexts();
  const texts = useOverviewTexts();
  const { attempts, failedShare, dead, oldestDue, waiting } = texts;
  const skeleton = (
    <>
      <FiguresSkeleton
        names={[attempts, failedShare, dead, oldestDue, waiting]}
        noted={[failedShare, waiting]}
      />
      <AttemptsPlot />
    </>
  );
  return (
    <Panel title={title} busy={numbers.isFetching}>
      <Answer query={numbers} operation="getWebhookOverview" skeleton={skeleton}>
        {(data) => (
          <>
            <DeliveryFigures numbers={data} />
            {data.total.attempts > 0 && <AttemptsPlot numbers={data} zoom={zoom} />}
          </>
        )}
      </Answer>
    </Panel>
  );
}

function DeliveryFigures({ numbers }: { numbers: Numbers }) {
  const texts = useOverviewTexts();
  const { number, share, span } = useFormats();
  const { from, to, total, backlog } = numbers;
  const about = backlog.isExact ? '' : '≈ ';
  const waiting = deliveriesPath({ status: ['pending', 'failed'] });
  return (
    <Figures
      figures={[
        { name: texts.attempts, value: number(total.attempts), href: deliveriesPath({ from, to }) },
        {
          name: texts.failedShare,
          value: total.failedShare === null ? '–' : share(total.failedShare),
          note: texts.ofAttempts(number(total.failed), number(total.attempts)),
          href: deliveriesPath({ status: ['failed', 'dead'], from, to }),
          isBad: (total.failedShare ?? 0) >= 0.1,
        },
        {
          name: texts.dead,
          value: number(total.dead),
          href: deliveriesPath({ status: ['dead'], from, to }),
          isBad: total.dead > 0,
        },
        {
          name: texts.oldestDue,
          value: backlog.oldestDueAt === null ? '–' : span(Date.now() - Date.parse(backlog.oldestDueAt)),
          href: waiting,
        },
        {
          name: texts.waiting,
          value: about + number(backlog.waiting),
          note: texts.dueNow(about + number(backlog.due)),
          href: waiting,
        },
      ]}
    />
  );
}

/** Without numbers it is the place of the plot. */
function AttemptsPlot({ numbers, zoom }: { numbers?: Numbers; zoom?: DeliveriesProps['zoom'] }) {
  const texts = useOverviewTexts();
  const { number, share } = useFormats();
  const plotTexts = usePlotTexts(numbers?.bucket);
  const { total, buckets = [] } = numbers ?? {};
  const shareOf = ({ attempts, failed }: Numbers['buckets'][number]) =>
    attempts === 0 ? 0 : failed / attempts;
  const worst = buckets.reduce((most, own) => (shareOf(own) > shareOf(most) ? own : most), buckets[0]!);
  const sentence = total && [
    texts.attemptsSentence(number(total.attempts), share(total.failedShare ?? 0)),
    total.failed > 0 && texts.worstAt(plotTexts.formatTime(worst.start), share(shareOf(worst))),
  ];
  return (
    <TimePlot
      label={texts.attemptsOverTime}
      sentence={sentence?.filter(Boolean).join(' ') ?? ''}
      buckets={buckets.map(({ start }) => start)}
      series={[
        { name: texts.attempts, tone: 'soft', isBehind: true, values: buckets.map((own) => own.attempts) },
        { name: texts.failed, tone: 'bad', values: buckets.map((own) => own.failed) },
      ]}
      texts={plotTexts}
      {...(zoom && { choose: zoom })}
    />
  );
}
