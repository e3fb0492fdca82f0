import { usePreferences } from '../i18n';

/** A time in the zone of the browser; the zone is named when one looks closer. */
export function Moment({ at }: { at: string | null | undefined }) {
  const { language } = usePreferences();
  if (at === null || at === undefined) return <span>–</span>;
  const time = new Date(at);
  return (
    <time dateTime={at} title={time.toLocaleString(language, { dateStyle: 'full', timeStyle: 'long' })}>
      {time.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  );
}
