import type { components } from '@canvass/client';
import { Field, SelectField } from '@canvass/console-ui';
import { writeJson } from '@canvass/json-numbers';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAction } from '../action';
import { api, dataOf, exactDataOf, get } from '../api';
import { Check, Radios } from '../check';
import { textInput } from '../fields';
import { FormDialog } from '../form-dialog';
import type { Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import lists from '../list.module.css';
import styles from './forms.module.css';
import { useStartTexts } from './start-texts';
import { templates, type TemplateName } from './templates';

type Fields = components['schemas']['FormFields'];

interface NewFormProps {
  /** The form to copy, if that was chosen before. */
  source?: Fields;
  close(): void;
}

type Start = 'empty' | 'copy' | TemplateName;

/** The most forms that are offered for a copy: the newest. Each form has a button to copy it, too. */
const maxOffered = 100;

/** A form is made disabled, with nothing, with a template, or as a copy without submissions and webhooks. */
export function NewForm({ source, close }: NewFormProps) {
  const all = useFormTexts();
  const texts = useStartTexts();
  const [, navigate] = useLocation();
  const [start, setStart] = useState<Start>(source ? 'copy' : 'empty');
  const [sourceId, setSourceId] = useState(source?.id ?? '');
  const [draft, setDraft] = useState({ description: '', isPublic: false });
  /** Null while nothing was typed: the start suggests a name. */
  const [typed, setTyped] = useState<string | null>(null);
  // The same for all attempts: a repetition after a lost answer makes no second form.
  const [key] = useState(() => crypto.randomUUID());
  const others = useQuery({
    queryKey: ['forms', 'names'],
    enabled: start === 'copy' && source === undefined,
    queryFn: ({ signal }) => get('/api/forms', { query: { limit: maxOffered, fields: 'id,name' } }, signal),
  });
  const copied = source ?? others.data?.items.find(({ id }) => id === sourceId);
  const suggested = () => {
    if (start === 'copy') return copied === undefined ? '' : texts.copyOf(copied.name!);
    return start === 'empty' ? '' : texts.templates[start].name;
  };
  const name = typed ?? suggested();
  const create = useAction(async () => {
    const own = { ...draft, description: draft.description || null };
    const body = { ...(start === 'copy' ? await copyOf(sourceId) : own), name, isEnabled: false };
    if (start !== 'copy' && start !== 'empty') {
      Object.assign(body, { definition: (await templates[start]()).default });
    }
    const params = { header: { 'Idempotency-Key': key } };
    const { id } = await dataOf(api.POST('/api/forms', { params, body, bodySerializer: writeJson }));
    navigate(`/forms/${id}/${start === 'empty' ? 'edit' : 'share'}`);
  });
  return (
    <FormDialog
      title={source ? all.copyForm(source.name!) : all.newForm}
      submit={all.create}
      action={create}
      close={close}
      isIncomplete={name.trim() === '' || (start === 'copy' && sourceId === '')}
    >
      <p className={lists.soft}>{start === 'copy' ? texts.copyHint : texts.newFormHint}</p>
      {!source && <Starts start={start} setStart={setStart} />}
      {!source && start === 'copy' && (
        <SelectField
          label={texts.formToCopy}
          required
          value={sourceId}
          onChange={({ target }) => setSourceId(target.value)}
        >
          <option value="" />
          {others.data?.items.map((form) => (
            <option key={form.id} value={form.id}>
              {form.name}
            </option>
          ))}
        </SelectField>
      )}
      <Field label={all.name} required maxLength={200} autoComplete="off" {...textInput(name, setTyped)} />
      {start !== 'copy' && (
        <>
          <Field
            label={all.description}
            maxLength={2000}
            autoComplete="off"
            value={draft.description}
            onChange={(event) => setDraft({ ...draft, description: event.target.value })}
          />
          <Check
            label={all.isPublic}
            isChecked={draft.isPublic}
            setChecked={(isPublic) => setDraft({ ...draft, isPublic })}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Members that a copy does not have. Its webhooks would send to real receivers. */
const notCopied = new Set(['id', 'slug', 'createdAt', 'modifiedAt', 'revision', 'webHookSettingsJson']);

/** The members of a form that its copy has. */
async function copyOf(formId: string) {
  const params = { path: { formId } };
  const form = await exactDataOf<Form>(api.GET('/api/forms/{formId}', { params, parseAs: 'text' }));
  return Object.fromEntries(Object.entries(form).filter(([name]) => !notCopied.has(name))) as Partial<Form>;
}

/** The choice of what a new form begins with. */
function Starts({ start, setStart }: { start: Start; setStart(start: Start): void }) {
  const texts = useStartTexts();
  const starts = { empty: texts.emptyForm, ...texts.templates, copy: texts.existingForm };
  const cards = Object.entries(starts).map(([value, { name, text }]) => [
    value,
    <span>
      {name}
      <small>{text}</small>
    </span>,
  ]);
  return (
    <fieldset className={styles.starts}>
      <legend>{texts.beginWith}</legend>
      <Radios choices={Object.fromEntries(cards)} value={start} choose={setStart} />
    </fieldset>
  );
}
