import type { components } from '@canvass/client';
import { Panel, TimePlot } from '@canvass/console-ui';
import { Link } from 'wouter';
import { Answer } from '../answer';
import { deliveriesPath } from '../deliveries-path';
import { useDeliveryTexts } from '../delivery-texts';
import { useFormats } from '../formats';
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
            <p>
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
  const succeeded = (part: Pick<Stats['total'], 'attempts' | 'outcomes'>) =>
    part.attempts === 0 ? null : 1 - failedOf(part) / part.attempts;
  const all = succeeded(total);
  return (
    <TimePlot
      label={own.successOverTime}
      sentence={all === null ? own.noAttempts : own.successSentence(number(total.attempts), share(all))}
      buckets={starts(stats)}
      // Percent: the scale of a plot begins at 0 and ends at a round number.
      series={[{ name: own.succeeded, tone: 'good', values: buckets.map(percentOf(succeeded)) }]}
      texts={{ ...texts, formatValue: (value) => share(value / 100) }}
      choose={zoom}
    />
  );
}

const percentOf =
  <T,>(shareOf: (part: T) => number | null) =>
  (part: T): number | null => {
    const value = shareOf(part);
    return value === null ? null : value * 100;
  };

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
      series={(['p50', 'p95', 'p99'] as const).map((name) => ({
        name,
        values: buckets.map((bucket) => bucket.milliseconds.total?.[name] ?? null),
      }))}
      texts={{ ...texts, formatValue: milliseconds }}
      choose={zoom}
    />
  );
}

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
      bars="stacked"
      label={own.outcomesOverTime}
      sentence={parts.length === 0 ? own.noAttempts : `${parts.join(', ')}.`}
      buckets={starts(stats)}
      series={series.map(({ outcome, values }) => ({
        name: nameOf(outcome),
        values,
        ...(outcome === 'success' && { tone: 'good' as const }),
      }))}
      texts={texts}
      choose={zoom}
    />
  );
}
