import { Spark } from '@canvass/console-ui';
import { useFormats } from '../formats';
import { useEndpointTexts } from './endpoint-texts';
import { failedOf, useStats } from './use-stats';

/** The attempts of the last 24 hours as a small plot. */
export function Day({ endpointId }: { endpointId: string }) {
  const own = useEndpointTexts();
  const { number } = useFormats();
  const { data } = useStats(endpointId);
  if (data === undefined) return null;
  return (
    <Spark
      label={own.sparkSentence(number(data.total.attempts), number(failedOf(data.total)))}
      series={[
        { name: 'all', tone: 'soft', isBehind: true, values: data.buckets.map(({ attempts }) => attempts) },
        { name: 'failed', tone: 'bad', values: data.buckets.map(failedOf) },
      ]}
    />
  );
}
