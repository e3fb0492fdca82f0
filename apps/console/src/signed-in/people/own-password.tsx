import { Field, toast } from '@canvass/console-ui';
import { useState } from 'react';
import { pathPrefix } from '../../base';
import { useAction } from '../action';
import { ActionForm } from '../action-form';
import { api, dataOf } from '../api';
import editor from '../editor.module.css';
import { session } from '../../session';
import { textInput } from '../fields';
import { useMe } from '../me';
import { ProofFields, type OwnProof } from '../proof-fields';
import { useOwnTexts } from './own-texts';

/** Changes the password. Then the session of this browser ends, and the sign-in appears over the page. */
export function OwnPassword() {
  const texts = useOwnTexts();
  const me = useMe();
  const [own, setOwn] = useState<OwnProof>({ currentPassword: '' });
  const [newPassword, setNewPassword] = useState('');
  const change = useAction(async () => {
    const { refreshToken } = await dataOf(
      api.POST('/api/auth/me/password', { body: { ...own, newPassword } }),
    );
    setOwn({ currentPassword: '' });
    setNewPassword('');
    toast(texts.passwordChanged);
    // The session of the response is not in a cookie: this page cannot keep it, so it must not stay open.
    await fetch(`${pathPrefix}/api/auth/logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
    // The cookie's session has ended, too. The next request finds that out, and the sign-in appears.
    session.forget(await session.token());
    void api.GET('/api/auth/me').catch(() => undefined);
  });
  return (
    <ActionForm
      className={editor.editor}
      action={change}
      submit={texts.changePassword}
      isIncomplete={newPassword === ''}
    >
      <p>{texts.changePasswordText}</p>
      {/* Password managers want to know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={me.email ?? ''} readOnly hidden />
      <ProofFields own={own} setOwn={setOwn} fault={change.fault} />
      <Field
        name="newPassword"
        label={texts.newPassword}
        type="password"
        autoComplete="new-password"
        required
        {...textInput(newPassword, setNewPassword)}
      />
    </ActionForm>
  );
}
