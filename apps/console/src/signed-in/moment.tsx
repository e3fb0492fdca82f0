import { useFormats } from './formats';

/** A time in the chosen zone; the zone is named when one looks closer. */
export function Moment({ at }: { at: string | null | undefined }) {
  const { moment, full } = useFormats();
  if (at === null || at === undefined) return <span>–</span>;
  return (
    <time dateTime={at} title={full(at)}>
      {moment(at)}
    </time>
  );
}
