import { Badge, Button, ForeignText, State, Table, type Column } from '@canvass/console-ui';
import { column } from '../columns';
import { useFormats } from '../formats';
import { useSubmitterTexts } from './texts';

type Fields = Readonly<Record<string, unknown>>;

/** A stored value as text. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

interface ProfileProps {
  now: Fields;
  /** The profile that was stored with a submission, and when; null if none is compared. */
  then: { fields: Fields; at: string } | null;
  stop(): void;
}

/** The profile as it is, beside the one that was stored with a submission. */
export function Profile({ now, then, stop }: ProfileProps) {
  const texts = useSubmitterTexts();
  const { moment } = useFormats();
  const names = [...new Set([...Object.keys(now), ...Object.keys(then?.fields ?? {})])];
  if (names.length === 0) return <State title={texts.noProfile}>{texts.noProfileHint}</State>;
  const columns: Column<string>[] = [
    column('field', texts.field, (name) => <ForeignText>{name}</ForeignText>),
    column('now', texts.now, (name) => <ForeignText>{textOf(now[name])}</ForeignText>),
    ...(then === null
      ? []
      : [
          column('then', texts.then(moment(then.at)), (name: string) => (
            <>
              <ForeignText>{textOf(then.fields[name])}</ForeignText>{' '}
              {textOf(then.fields[name]) !== textOf(now[name]) && <Badge tone="warn">{texts.differs}</Badge>}
            </>
          )),
        ]),
  ];
  return (
    <>
      <Table label={texts.profile} columns={columns} rows={names} keyOf={(name) => name} />
      {then !== null && (
        <Button look="quiet" onClick={stop}>
          {texts.stopComparing}
        </Button>
      )}
    </>
  );
}
