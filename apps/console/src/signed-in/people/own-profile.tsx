import { Field, toast } from '@canvass/console-ui';
import { useState } from 'react';
import { useChange } from '../action';
import { ActionForm } from '../action-form';
import { api } from '../api';
import { isSame } from '../editor';
import { fieldsOf } from '../fields';
import editor from '../editor.module.css';
import { useMe } from '../me';
import { ProofFields, type OwnProof } from '../proof-fields';
import { useOwnTexts } from './own-texts';

/** Changes the own name and address. */
export function OwnProfile() {
  const texts = useOwnTexts();
  const me = useMe();
  const [own, setOwn] = useState<OwnProof>({ currentPassword: '' });
  const known = { name: me.name ?? '', email: me.email ?? '' };
  const [draft, setDraft] = useState(known);
  const change = useChange([['me']], async () => {
    const { name, email } = draft;
    const body = { ...own, name: name || null, ...(email !== me.email && { email }) };
    await api.PATCH('/api/auth/me', { body });
    setOwn({ currentPassword: '' });
    toast(texts.changed);
  });
  const field = fieldsOf(draft, (part) => setDraft({ ...draft, ...part }));
  return (
    <ActionForm
      className={editor.editor}
      action={change}
      submit={texts.change}
      isIncomplete={isSame(draft, known)}
    >
      <Field {...field('name')} label={texts.name} autoComplete="name" />
      <Field {...field('email')} label={texts.email} type="email" autoComplete="email" required />
      <ProofFields own={own} setOwn={setOwn} fault={change.fault} />
    </ActionForm>
  );
}
