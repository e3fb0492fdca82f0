import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api';
import { RemoveRecord } from '../delete-dialog';
import type { Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import listStyles from '../list.module.css';
import { useCount } from './use-count';

/** Deletes a form after its name was typed. What ends with it is listed first. */
export function DeleteForm({ form: { id, name, revision, dataListIds } }: { form: Form }) {
  const texts = useFormTexts();
  const client = useQueryClient();
  const remove = async () => {
    const params = { path: { formId: id }, header: { 'If-Match': `"${revision}"` } };
    await api.DELETE('/api/forms/{formId}', { params });
    await client.invalidateQueries({ queryKey: ['forms'] });
  };
  return (
    <RemoveRecord
      label={texts.deleteForm}
      title={texts.deleteFormTitle}
      text={<Ends formId={id} lists={dataListIds.length} />}
      name={name}
      id={id}
      remove={remove}
      list="/forms"
      queryKey={['form', id]}
    />
  );
}

function Ends({ formId, lists }: { formId: string; lists: number }) {
  const texts = useFormTexts();
  const { number } = useFormats();
  const { data: count } = useCount(formId);
  return (
    <>
      <p>{texts.deleteFormText}</p>
      <ul className={listStyles.bullets}>
        <li>
          {count === undefined
            ? texts.endsSubmissionsUnknown
            : texts.endsSubmissions(`${number(count.total)}${count.isExact ? '' : '+'}`)}
        </li>
        <li>{texts.endsRespondents}</li>
        {lists > 0 && <li>{texts.endsLists(number(lists))}</li>}
        <li>{texts.endsWebhooks}</li>
      </ul>
    </>
  );
}
