import { Button, Field, FieldErrors, Notice } from '@canvass/console-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { FaultNotice, useAction } from '../action';
import { api } from '../api';
import { useMe } from '../me';
import { ProofFields, type OwnProof } from '../proof-fields';
import { useErrorsByField } from '../violations';
import { useOwnTexts } from './own-texts';
import styles from './people.module.css';

/** Changes the own name and address. */
export function OwnProfile() {
  const texts = useOwnTexts();
  const me = useMe();
  const client = useQueryClient();
  const [own, setOwn] = useState<OwnProof>({ currentPassword: '' });
  const [draft, setDraft] = useState({ name: me.name ?? '', email: me.email ?? '' });
  const [isDone, setDone] = useState(false);
  const change = useAction(async () => {
    const { name, email } = draft;
    const body = { ...own, name: name || null, ...(email !== me.email && { email }) };
    await api.PATCH('/api/auth/me', { body });
    setOwn({ currentPassword: '' });
    setDone(true);
    await client.invalidateQueries({ queryKey: ['me'] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change.run();
  };
  return (
    <form className={styles.editor} onSubmit={submit}>
      <FieldErrors errors={useErrorsByField(change.fault)}>
        <Field
          name="name"
          label={texts.name}
          autoComplete="name"
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
        />
        <Field
          name="email"
          label={texts.email}
          type="email"
          autoComplete="email"
          required
          value={draft.email}
          onChange={(event) => setDraft({ ...draft, email: event.target.value })}
        />
        <ProofFields own={own} setOwn={setOwn} fault={change.fault} />
      </FieldErrors>
      <FaultNotice fault={change.fault} />
      {isDone && <Notice tone="good">{texts.changed}</Notice>}
      <div>
        <Button type="submit" disabled={change.isBusy}>
          {texts.change}
        </Button>
      </div>
    </form>
  );
}
