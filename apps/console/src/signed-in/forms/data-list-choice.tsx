import { Button, Field, ForeignText } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { api, dataOf } from '../api';
import { Check } from '../check';
import { useFormTexts } from '../form-texts';
import { may, useMe } from '../me';
import lists from '../list.module.css';
import styles from './forms.module.css';
import { useLists } from './use-lists';

interface DataListChoiceProps {
  ids: readonly string[];
  setIds(ids: string[]): void;
}

/** Lists that are offered at once. */
const maxFound = 10;

/** The data lists of a form by name; others are found by a part of theirs. */
export function DataListChoice({ ids, setIds }: DataListChoiceProps) {
  const texts = useFormTexts();
  const me = useMe();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const names = useLists(ids);
  const found = useQuery({
    queryKey: ['data-lists', 'names', search],
    enabled: search !== '' && may(me, 'listDataLists'),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { search, pageSize: maxFound };
      return dataOf(api.GET('/api/data-lists', { params: { query }, signal }));
    },
  });
  const others = (search === '' ? [] : (found.data?.items ?? [])).filter(({ id }) => !ids.includes(id));
  return (
    <fieldset className={styles.lists}>
      <legend>{texts.listsOfForm}</legend>
      {ids.length === 0 && <span className={lists.soft}>{texts.noListsChosen}</span>}
      {ids.map((id, index) => (
        <Check
          key={id}
          label={names[index]?.data?.name ?? id}
          isChecked
          setChecked={() => setIds(ids.filter((own) => own !== id))}
        />
      ))}
      {may(me, 'changeForm') && may(me, 'listDataLists') && (
        <Field
          label={texts.findLists}
          hint={texts.findListsHint}
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
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
        {search !== '' && found.isSuccess && others.length === 0 && texts.noListsFound}
      </div>
    </fieldset>
  );
}
