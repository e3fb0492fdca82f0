import type { components } from '@canvass/client';
import { Panel, TimePlot } from '@canvass/console-ui';
import { Link } from 'wouter';
import { Answer } from '../answer';
import { deliveriesPath } from '../deliveries-path';
import { useDeliveryTexts } from '../delivery-texts';
import { useFormats } from '../formats';
import lists from '../list.module.css';
import { usePlotTexts } from '../plot-texts';
import { RangeChoice } from '../range-choice';
import { useRange } from '../use-range';
import { useEndpointTexts } from './endpoint-texts';
import { outcomesOf } from './outcomes';
import { failedOf, useStatsIn } from './use-stats';

type Stats = components['schemas']['WebhookStats'];

interface PlotProps {
  stats: Stats;
  zoom(from: string, to: string): void;
}

/** The attempts to an endpoint over time: how many succeeded, how long they took, how they ended. */
export function EndpointPlots({ endpointId }: { endpointId: string }) {
  const own = useEndpointTexts();
  const { range, choose, zoom } = useRange();
  const stats = useStatsIn(endpointId, range);
  return (
    <Panel title={own.attempts} busy={stats.isFetching} tools={<RangeChoice range={range} choose={choose} />}>
      <Answer query={stats} operation="getWebhookStats">
        {(data) => (
          <>
            <SuccessPlot stats={data} zoom={zoom} />
            <DurationPlot stats={data} zoom={zoom} />
            <OutcomePlot stats={data} zoom={zoom} />
            <p className={lists.work}>
              <Link href={deliveriesPath({ endpointId, from: data.from, to: data.to })}>
                {own.deliveriesThen}
              </Link>
            </p>
          </>
        )}
      </Answer>
    </Panel>
  );
}

const starts = ({ buckets }: Stats) => buckets.map(({ start }) => start);

function SuccessPlot({ stats, zoom }: PlotProps) {
  const own = useEndpointTexts();
  const { number, share } = useFormats();
  const texts = usePlotTexts(stats.bucket);
  const { total, buckets } = stats;
  const percentOf = (part: Stats['buckets'][number], count: number) =>
    part.attempts === 0 ? null : (100 * count) / part.attempts;
  const succeeded = share(1 - failedOf(total) / total.attempts);
  return (
    <TimePlot
      label={own.successOverTime}
      sentence={
        total.attempts === 0 ? own.noAttempts : own.successSentence(number(total.attempts), succeeded)
      }
      buckets={starts(stats)}
      // Percent: the scale of a plot ends at a round number. The failed ones part "none" from "no attempts".
      series={[
        {
          name: own.succeeded,
          tone: 'good',
          values: buckets.map((part) => percentOf(part, part.attempts - failedOf(part))),
        },
        { name: own.failed, tone: 'bad', values: buckets.map((part) => percentOf(part, failedOf(part))) },
      ]}
      texts={{ ...texts, formatValue: (value) => share(value / 100) }}
      choose={zoom}
    />
  );
}

function DurationPlot({ stats, zoom }: PlotProps) {
  const own = useEndpointTexts();
  const { duration: milliseconds } = useFormats();
  const texts = usePlotTexts(stats.bucket);
  const { total, buckets } = stats;
  const { p50, p95 } = total.milliseconds.total ?? {};
  return (
    <TimePlot
      label={own.durationOverTime}
      sentence={
        p50 === undefined || p95 === undefined
          ? own.noAttempts
          : own.durationSentence(milliseconds(p50), milliseconds(p95))
      }
      buckets={starts(stats)}
      // Each is at least as long as the one before it in the bar.
      series={(
        [
          ['p99', 'plain'],
          ['p95', 'soft'],
          ['p50', 'accent'],
        ] as const
      ).map(([name, tone]) => ({
        name,
        tone,
        isBehind: true,
        values: buckets.map((bucket) => bucket.milliseconds.total?.[name] ?? null),
      }))}
      texts={{ ...texts, formatValue: milliseconds }}
      choose={zoom}
    />
  );
}

/** As many as `outcomesOf` has series. */
const tones = ['bad', 'warn', 'plain', 'accent', 'soft'] as const;

function OutcomePlot({ stats, zoom }: PlotProps) {
  const own = useEndpointTexts();
  const { outcomes } = useDeliveryTexts();
  const { number } = useFormats();
  const texts = usePlotTexts(stats.bucket);
  const { total, buckets } = stats;
  const series = outcomesOf(total.outcomes, buckets);
  const nameOf = (outcome: string) => outcomes[outcome] ?? own.otherOutcomes;
  const parts = series.map(({ outcome, count }) => `${nameOf(outcome)} ${number(count)}`);
  return (
    <TimePlot
      label={own.outcomesOverTime}
      sentence={parts.length === 0 ? own.noAttempts : `${parts.join(', ')}.`}
      buckets={starts(stats)}
      series={series.map(({ outcome, values }, index) => ({
        name: nameOf(outcome),
        values,
        tone: outcome === 'success' ? 'good' : tones[index]!,
      }))}
      texts={texts}
      choose={zoom}
    />
  );
}
