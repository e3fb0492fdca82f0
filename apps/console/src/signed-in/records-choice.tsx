import { Button, Field, ForeignText } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { get } from './api';
import { Check } from './check';
import styles from './editor.module.css';
import { textInput } from './fields';
import lists from './list.module.css';
import { useKindTexts } from './kind-texts';
import { may, useMe } from './me';
import { RecordName } from './record-name';

type Kind = 'form' | 'data_list';

interface RecordsChoiceProps {
  kind: Kind;
  texts: { title: string; none: string; find: string; notFound: string };
  ids: readonly string[];
  setIds(ids: string[]): void;
  isReadOnly?: boolean;
}

/** Records that are offered at once. */
const maxFound = 10;

async function find(
  kind: Kind,
  search: string,
  signal: AbortSignal,
): Promise<{ id: string; name: string }[]> {
  if (kind === 'form') {
    const query = { search, limit: maxFound };
    const { items } = await get('/api/forms', { query }, signal);
    return items as { id: string; name: string }[];
  }
  const query = { search, pageSize: maxFound };
  return (await get('/api/data-lists', { query }, signal)).items;
}

/** Some records by name; others are found by a part of theirs. */
export function RecordsChoice({ kind, texts, ids, setIds, isReadOnly = false }: RecordsChoiceProps) {
  const { partOfName } = useKindTexts();
  const mayFind = may(useMe(), kind === 'form' ? 'listForms' : 'listDataLists');
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['found', kind, search],
    enabled: search !== '' && mayFind,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => find(kind, search, signal),
  });
  const others = (search === '' ? [] : (found.data ?? [])).filter(({ id }) => !ids.includes(id));
  return (
    <fieldset className={styles.records}>
      <legend>{texts.title}</legend>
      {ids.length === 0 && <span>{texts.none}</span>}
      {ids.map((id) => (
        <Check
          key={id}
          label={<RecordName kind={kind} id={id} />}
          isChecked
          setChecked={() => setIds(ids.filter((own) => own !== id))}
        />
      ))}
      {!isReadOnly && mayFind && (
        <Field
          label={texts.find}
          hint={partOfName}
          type="search"
          {...textInput(typed, setTyped)}
          // Enter searches; it does not save the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div className={lists.row} role="status">
        {others.map(({ id, name }) => (
          <Button
            key={id}
            onClick={() => {
              setIds([...ids, id]);
              setTyped('');
            }}
          >
            + <ForeignText isCut>{name}</ForeignText>
          </Button>
        ))}
        {search !== '' && found.isSuccess && others.length === 0 && texts.notFound}
      </div>
    </fieldset>
  );
}
