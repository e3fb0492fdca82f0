import type { Outage } from './api';
import { useTexts } from './i18n';
import { useFormats } from './signed-in/formats';

/** Says what does not work, and since when. */
export function useOutageText(): (outages: readonly Outage[]) => string {
  const { outages: texts } = useTexts();
  const { moment } = useFormats();
  const sentenceOf = ({ name, since }: Outage) => {
    const time = moment(since);
    return name === 'database' || name === 'rabbitmq' ? texts[name](time) : texts.service(name, time);
  };
  return (outages) => outages.map(sentenceOf).join(' ');
}
