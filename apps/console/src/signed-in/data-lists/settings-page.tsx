import { Badge, Button, Field, ForeignText, Panel, SelectField, State, toast } from '@canvass/console-ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { FaultNotice } from '../action';
import { Answer } from '../answer';
import { api, dataOf, get } from '../api';
import { RemoveRecord } from '../delete-dialog';
import { may, useMe } from '../me';
import lists from '../list.module.css';
import editor from '../editor.module.css';
import styles from './data-lists.module.css';
import { Languages } from './languages';
import { ListFrame, type DataList } from './list-frame';
import { useListTexts } from '../data-list-texts';

/** Name and state of a list, who uses it, and its end. */
export default function SettingsPage() {
  return (
    <ListFrame>
      {(data) => (
        <div className={lists.side}>
          <Properties list={data} />
          <Languages list={data} />
          <UsedBy list={data} />
        </div>
      )}
    </ListFrame>
  );
}

function Properties({ list }: { list: DataList }) {
  const texts = useListTexts();
  const me = useMe();
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: (body: {
      name: string;
      description: string | null;
      isActive: boolean;
      order: DataList['order'];
    }) =>
      dataOf(
        api.PATCH('/api/data-lists/{id}', {
          params: { path: { id: list.id } },
          headers: { 'If-Match': `"${list.revision}"` },
          body,
        }),
      ),
    onSuccess: ({ revision }) => toast(texts.saved(revision)),
    // Also after a refusal: another person may have changed the list.
    onSettled: () => cache.invalidateQueries({ queryKey: ['data-list', list.id] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change.mutate({
      name: (form.get('name') as string).trim(),
      description: (form.get('description') as string).trim() || null,
      isActive: form.has('isActive'),
      order: form.get('order') as DataList['order'],
    });
  };
  const mayChange = may(me, 'updateDataList');
  return (
    <Panel title={texts.tabSettings} tools={may(me, 'deleteDataList') && <DeleteList list={list} />}>
      <form className={editor.editor} onSubmit={submit}>
        <FaultNotice fault={change.error} />
        <Field
          label={texts.listName}
          name="name"
          defaultValue={list.name}
          required
          maxLength={200}
          readOnly={!mayChange}
        />
        <Field
          label={texts.listDescription}
          name="description"
          defaultValue={list.description ?? ''}
          maxLength={2000}
          readOnly={!mayChange}
        />
        <SelectField label={texts.listOrder} name="order" defaultValue={list.order} disabled={!mayChange}>
          <option value="label">{texts.orderLabel}</option>
          <option value="file">{texts.orderFile}</option>
        </SelectField>
        <label className={styles.inline}>
          <input type="checkbox" name="isActive" defaultChecked={list.isActive} disabled={!mayChange} />
          {texts.listActive}
        </label>
        <p className={lists.soft}>{texts.listInactiveHint}</p>
        {mayChange && (
          <div className={styles.actions}>
            <Button type="submit" look="primary" disabled={change.isPending}>
              {texts.save}
            </Button>
          </div>
        )}
      </form>
    </Panel>
  );
}

/** The forms that use the list. */
function UsedBy({ list }: { list: DataList }) {
  const texts = useListTexts();
  const all = useTexts();
  const forms = useQuery({
    queryKey: ['list-forms', list.id],
    queryFn: ({ signal }) =>
      get('/api/data-lists/{id}/forms', { path: { id: list.id }, query: { limit: 100 } }, signal),
  });
  return (
    <Panel title={texts.usedBy} busy={forms.isFetching}>
      <Answer query={forms} operation="listFormsUsingDataList">
        {({ items }) =>
          items.length > 0 ? (
            <div className={editor.editor}>
              <ul className={lists.bullets}>
                {items.map(({ id, name, isEnabled }) => (
                  <li key={id}>
                    <Link href={`/forms/${id}/submissions`}>
                      <ForeignText isCut>{name || id}</ForeignText>
                    </Link>{' '}
                    <Badge tone={isEnabled ? 'good' : 'none'}>
                      {isEnabled ? all.formEnabled : all.formDisabled}
                    </Badge>
                  </li>
                ))}
              </ul>
              <p className={lists.soft}>{texts.deleteUsed}</p>
            </div>
          ) : (
            <State title={texts.notUsed} />
          )
        }
      </Answer>
    </Panel>
  );
}

function DeleteList({ list: { id, name, revision } }: { list: DataList }) {
  const texts = useListTexts();
  const cache = useQueryClient();
  const params = { path: { id } };
  return (
    <RemoveRecord
      label={`${texts.deleteList} …`}
      title={texts.deleteList}
      text={texts.deleteListHint}
      name={name}
      id={id}
      remove={async () => {
        await api.DELETE('/api/data-lists/{id}', { params, headers: { 'If-Match': `"${revision}"` } });
        await cache.invalidateQueries({ queryKey: ['data-lists'] });
      }}
      list="/data-lists"
      queryKey={['data-list', id]}
    />
  );
}
