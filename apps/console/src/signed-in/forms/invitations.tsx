import { Button, buttonClass, Field, Panel } from '@canvass/console-ui';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAction } from '../action';
import { api, dataOf } from '../api';
import { CopyButton } from '../copy-button';
import { FormDialog } from '../form-dialog';
import type { Form } from '../form-frame';
import { may, useMe } from '../me';
import { pageAddress } from '../page-address';
import { useExpiry } from '../use-expiry';
import { useInvitationTexts } from './invitation-texts';
import lists from '../list.module.css';
import styles from './share.module.css';

const header = 'externalSubjectId,displayId';
const states = ['not_opened', 'begun', 'done'] as const;

/** Personal links for the people of a file, and how far they are. */
export function Invitations({ form }: { form: Form }) {
  const texts = useInvitationTexts();
  const me = useMe();
  const [isInviting, setInviting] = useState(false);
  if (!may(me, 'inviteRespondents')) return null;
  return (
    <Panel title={texts.invitations}>
      <div className={styles.panel}>
        <div className={lists.start} role="group" aria-label={texts.invitations}>
          <p>{texts.invitationsHint}</p>
          <code className={lists.copied}>{header}</code>
          <div className={lists.row}>
            <CopyButton text={header} />
            <Button look="primary" onClick={() => setInviting(true)}>
              {texts.invite}
            </Button>
          </div>
          {may(me, 'listSubmissions') && (
            <>
              <p>{texts.statesOf}</p>
              <nav className={lists.row} aria-label={texts.statesOf}>
                {states.map((state) => (
                  <Link
                    key={state}
                    className={buttonClass}
                    href={`/forms/${form.id}/submissions?where=invitation:${state}`}
                  >
                    {texts.states[state]}
                  </Link>
                ))}
              </nav>
            </>
          )}
        </div>
      </div>
      {isInviting && <Invite form={form} close={() => setInviting(false)} />}
    </Panel>
  );
}

/** Sends the file. The page of the job has the links. */
function Invite({ form, close }: { form: Form; close(): void }) {
  const texts = useInvitationTexts();
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File | null>(null);
  const expiry = useExpiry(texts);
  const invite = useAction(async () => {
    const query = { pageUrl: pageAddress(form), ...expiry.member };
    const { id } = await dataOf(
      api.POST('/api/forms/{formId}/invitations', {
        params: { path: { formId: form.id }, query },
        body: file as never, // the file itself, which the document knows as text
        bodySerializer: (body) => body,
        headers: { 'content-type': 'text/csv' },
      }),
    );
    navigate(`/jobs/${id}`);
  });
  return (
    <FormDialog title={texts.invitations} submit={texts.invite} action={invite} close={close}>
      <Field
        label={texts.file}
        hint={texts.fileHint}
        type="file"
        name="file"
        accept=".csv"
        required
        onChange={({ target }) => setFile(target.files?.[0] ?? null)}
      />
      {expiry.field}
    </FormDialog>
  );
}
