import { Spark } from '@canvass/console-ui';
import { usePreferences } from '../../i18n';
import { useEndpointTexts } from './endpoint-texts';
import { failedOf, useStats } from './use-stats';

/** The attempts of the last 24 hours as a small plot. */
export function Day({ endpointId }: { endpointId: string }) {
  const own = useEndpointTexts();
  const { language } = usePreferences();
  const { data } = useStats(endpointId);
  if (data === undefined) return null;
  const number = (value: number) => value.toLocaleString(language);
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
