import { Field, ForeignText, Panel, State, toast } from '@canvass/console-ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { ActionForm } from '../action-form';
import { Answer } from '../answer';
import { api, dataOf, get } from '../api';
import { Check } from '../check';
import { ChoiceField } from '../choice-field';
import { RemoveRecord } from '../delete-dialog';
import { isSame } from '../editor';
import { fieldsOf } from '../fields';
import { EnabledBadge } from '../list-parts';
import { may, useMe } from '../me';
import lists from '../list.module.css';
import editor from '../editor.module.css';
import { Languages } from './languages';
import { ListFrame, useListChange, type DataList } from './list-frame';
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

const draftOf = ({ name, description, isActive, order }: DataList) => ({
  name,
  description: description ?? '',
  isActive,
  order,
});

function Properties({ list }: { list: DataList }) {
  const texts = useListTexts();
  const { enabled } = useTexts();
  const me = useMe();
  const { id } = list;
  const [draft, setDraft] = useState(() => draftOf(list));
  const set = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const change = useListChange(list, async (headers) => {
    const body = { ...draft, name: draft.name.trim(), description: draft.description.trim() || null };
    const sent = api.PATCH('/api/data-lists/{id}', { params: { path: { id } }, headers, body });
    toast(texts.saved((await dataOf(sent)).revision));
  });
  const isReadOnly = !may(me, 'updateDataList');
  const field = fieldsOf(draft, set);
  return (
    <Panel title={texts.tabSettings} tools={may(me, 'deleteDataList') && <DeleteList list={list} />}>
      <ActionForm
        className={editor.editor}
        action={change}
        submit={isReadOnly ? null : texts.save}
        isIncomplete={isSame(draft, draftOf(list))}
      >
        <Field {...field('name')} label={texts.listName} required maxLength={200} readOnly={isReadOnly} />
        <Field
          {...field('description')}
          label={texts.listDescription}
          maxLength={2000}
          readOnly={isReadOnly}
        />
        <ChoiceField
          label={texts.listOrder}
          disabled={isReadOnly}
          value={draft.order}
          choices={{ label: texts.orderLabel, file: texts.orderFile }}
          choose={(next) => set({ order: next })}
        />
        <Check
          label={enabled}
          disabled={isReadOnly}
          isChecked={draft.isActive}
          setChecked={(is) => set({ isActive: is })}
        />
        <p className={lists.soft}>{texts.listInactiveHint}</p>
      </ActionForm>
    </Panel>
  );
}

/** The forms that use the list. */
function UsedBy({ list }: { list: DataList }) {
  const texts = useListTexts();
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
                    <EnabledBadge isEnabled={isEnabled} />
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
