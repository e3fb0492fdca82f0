import { Button, Field } from '@canvass/console-ui';
import { useState } from 'react';
import { useAction } from '../action';
import { api, dataOf } from '../api';
import { ChoiceField } from '../choice-field';
import { textInput } from '../fields';
import { FormDialog } from '../form-dialog';
import { may, useMe } from '../me';
import { useViewTexts } from './texts';
import type { View, ViewedList } from './use-views';

export interface ViewDialogProps {
  /** The view that is edited; null for a new one. */
  view: View | null;
  /** The names of all views of the list. */
  names: readonly string[];
  /** The settings of a new view. */
  settings: { layout: object; query: string };
  list: ViewedList;
  /** Returns whether the user may change what everybody sees. */
  mayShare: boolean;
  close(): void;
  /** The view was saved or, without one, deleted. */
  saved(view: View | null): Promise<void>;
}

/** Asks for the name of a view, who sees it, and whether the list opens with it. */
export function ViewDialog({ view, names, settings, list, mayShare, close, saved }: ViewDialogProps) {
  const texts = useViewTexts();
  const mayDelete = may(useMe(), 'deleteView');
  const [name, setName] = useState(view?.name ?? freeName(texts.newName, names));
  const [audience, setAudience] = useState<Audience>(view === null ? 'me' : audienceOf(view));
  const { me, 'me default': mine } = texts.audiences;
  const members = { name: name.trim(), ...membersOf(audience) };
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
        onFocus={({ target }) => target.select()} // what one types replaces the name
        {...textInput(name, setName)}
      />
      <ChoiceField
        label={texts.audience}
        value={audience}
        choices={mayShare ? texts.audiences : { me, 'me default': mine }}
        choose={setAudience}
      />
      {view !== null && mayDelete && (
        <div>
          <Button look="danger" disabled={remove.isBusy} onClick={() => void remove.run()}>
            {texts.remove}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

/** The audiences of a view, and whether the list opens with it. */
const audiences = ['me', 'me default', 'tenant', 'tenant default'] as const;
type Audience = (typeof audiences)[number];

const audienceOf = ({ visibility, isDefault }: View): Audience =>
  audiences.find((own) => own === (isDefault ? `${visibility} default` : visibility)) ?? 'me';

const membersOf = (audience: Audience) => ({
  visibility: audience.startsWith('tenant') ? ('tenant' as const) : ('me' as const),
  isDefault: audience.endsWith('default'),
});

/** The first name that no view has. */
function freeName(nameOf: (number: number) => string, names: readonly string[]): string {
  let number = 1;
  while (names.includes(nameOf(number))) number += 1;
  return nameOf(number);
}

const paramsOf = ({ id, revision }: View) => ({ path: { id }, header: { 'If-Match': `"${revision}"` } });
