import { Field } from '@canvass/console-ui';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAction } from '../action';
import { api, dataOf } from '../api';
import { Check } from '../check';
import { FormDialog } from '../form-dialog';
import { useFormTexts } from '../form-texts';
import styles from './forms.module.css';

/** A form is made without questions and disabled. Its definition is the next step. */
export function NewForm({ close }: { close(): void }) {
  const texts = useFormTexts();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState({ name: '', description: '', isPublic: false });
  // The same for all attempts: a repetition after a lost answer makes no second form.
  const [key] = useState(() => crypto.randomUUID());
  const create = useAction(async () => {
    const { id } = await dataOf(
      api.POST('/api/forms', {
        params: { header: { 'Idempotency-Key': key } },
        body: { ...draft, description: draft.description || null, isEnabled: false },
      }),
    );
    navigate(`/forms/${id}/definition`);
  });
  return (
    <FormDialog
      title={texts.newForm}
      submit={texts.create}
      action={create}
      close={close}
      isIncomplete={draft.name.trim() === ''}
    >
      <p className={styles.soft}>{texts.newFormHint}</p>
      <Field
        label={texts.name}
        required
        maxLength={200}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => setDraft({ ...draft, name: event.target.value })}
      />
      <Field
        label={texts.description}
        maxLength={2000}
        autoComplete="off"
        value={draft.description}
        onChange={(event) => setDraft({ ...draft, description: event.target.value })}
      />
      <Check
        label={texts.isPublic}
        isChecked={draft.isPublic}
        setChecked={(isPublic) => setDraft({ ...draft, isPublic })}
      />
    </FormDialog>
  );
}
