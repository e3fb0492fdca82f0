import { Button, ForeignText } from '@canvass/console-ui';
import { useQueries } from '@tanstack/react-query';
import { useAction } from '../action';
import { get } from '../api';
import { FormDialog } from '../form-dialog';
import { useFormTexts } from '../form-texts';
import listStyles from '../list.module.css';
import { may, useMe } from '../me';

interface PermitListsProps {
  /** The lists that the definition names and the form may not read. */
  ids: readonly string[];
  /** Saves the definition, and lets the form read these lists. */
  save(permitted: readonly string[]): void;
  close(): void;
}

/** Asks before a save whether the form may read the lists that its definition names. */
export function PermitLists({ ids, save, close }: PermitListsProps) {
  const texts = useFormTexts();
  const mayRead = may(useMe(), 'getDataList');
  const lists = useQueries({
    queries: (mayRead ? ids : []).map((id) => ({
      queryKey: ['data-list', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        get('/api/data-lists/{id}', { path: { id }, query: { includeItems: false } }, signal),
    })),
  });
  const known = ids.filter((_, index) => lists[index]?.data !== undefined);
  const isAsking = lists.some(({ isPending }) => isPending);
  return (
    <FormDialog
      title={texts.permitTitle}
      submit={isAsking || known.length > 0 ? texts.permitAndSave : null}
      isIncomplete={isAsking}
      action={useAction(() => Promise.resolve(save(known)))}
      close={close}
    >
      <p>{texts.permitText}</p>
      <ul className={listStyles.bullets}>
        {ids.map((id, index) => (
          <li key={id}>
            <ForeignText isCut>{lists[index]?.data?.name ?? id}</ForeignText>
            {lists[index]?.isError === true && ` – ${texts.listNotFound}`}
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => save([])}>{texts.saveOnly}</Button>
      </div>
    </FormDialog>
  );
}
