import { ForeignText } from '@canvass/console-ui';
import { useKindTexts } from './kind-texts';
import { useNames } from './use-names';

/** The name of a record; its kind, if it has none, and that it is deleted, if it is. */
export function RecordName({ kind, id }: { kind: string; id: string | null }) {
  const texts = useKindTexts();
  const known = useNames(kind);
  const word = texts.kinds[kind] ?? kind;
  if (id === null || known === undefined) return word;
  const name = known.names.get(id);
  if (name !== undefined) return <ForeignText isCut>{name}</ForeignText>;
  return known.isWhole ? texts.deleted(word) : word;
}
