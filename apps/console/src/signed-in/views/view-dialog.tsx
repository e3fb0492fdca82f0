import { Button, Field } from '@canvass/console-ui';
import { useState } from 'react';
import { useAction } from '../action';
import { api, dataOf } from '../api';
import { Check } from '../check';
import { FormDialog } from '../form-dialog';
import { may, useMe } from '../me';
import { useViewTexts } from './texts';
import type { View, ViewedList } from './use-views';

export interface ViewDialogProps {
  /** The view that is edited; null for a new one. */
  view: View | null;
  /** Of a new view. */
  settings: { layout: object; query: string };
  list: ViewedList;
  /** Whether the user may change what everybody sees. */
  mayShare: boolean;
  close(): void;
  /** The view was saved or, without one, deleted. */
  saved(view: View | null): Promise<void>;
}

/** Asks for the name of a view, who sees it, and whether the list opens with it. */
export function ViewDialog({ view, settings, list, mayShare, close, saved }: ViewDialogProps) {
  const texts = useViewTexts();
  const mayDelete = may(useMe(), 'deleteView');
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setShared] = useState(view?.visibility === 'tenant');
  const [isDefault, setDefault] = useState(view?.isDefault ?? false);
  const members = { name: name.trim(), visibility: isShared ? 'tenant' : 'me', isDefault } as const;
  const save = useAction(async () => {
    const { screen, scopeId } = list;
    const next =
      view === null
        ? await dataOf(api.POST('/api/views', { body: { ...members, screen, scopeId, settings } }))
        : await dataOf(api.PATCH('/api/views/{id}', { params: paramsOf(view), body: members }));
    await saved(next as View);
    close();
  });
  const remove = useAction(async () => {
    await api.DELETE('/api/views/{id}', { params: paramsOf(view!) });
    await saved(null);
    close();
  });
  return (
    <FormDialog
      title={view === null ? texts.saveTitle : texts.editTitle}
      submit={texts.saveView}
      action={{ ...save, isBusy: save.isBusy || remove.isBusy, fault: save.fault ?? remove.fault }}
      close={close}
      isIncomplete={members.name === ''}
    >
      {view === null && <p>{texts.saveText}</p>}
      <Field
        name="name"
        label={texts.name}
        required
        maxLength={100}
        autoComplete="off"
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {mayShare && <Check label={texts.forEverybody} isChecked={isShared} setChecked={setShared} />}
      <Check label={texts.opensWith} isChecked={isDefault} setChecked={setDefault} />
      {view !== null && mayDelete && (
        <div>
          <Button disabled={remove.isBusy} onClick={() => void remove.run()}>
            {texts.remove}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

const paramsOf = ({ id, revision }: View) => ({ path: { id }, header: { 'If-Match': `"${revision}"` } });
