import type { components } from '@canvass/client';
import { Button, Field, Notice, Panel, toast } from '@canvass/console-ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useParams } from 'wouter';
import { useTexts } from '../../i18n';
import { taggedOf, useAction, type Tagged } from '../action';
import { Answer } from '../answer';
import { api } from '../api';
import { Check } from '../check';
import { RemoveRecord } from '../delete-dialog';
import { fieldsOf } from '../fields';
import { Editor } from '../editor';
import { FormDialog } from '../form-dialog';
import editor from '../editor.module.css';
import { useMe } from '../me';
import { Page } from '../page';
import { useRoleNames } from '../role-texts';
import { RoleChoice } from './choices';
import { PasswordLink } from './password-link';
import lists from '../list.module.css';
import styles from './people.module.css';
import { SessionsPanel } from './sessions';
import { usePeopleTexts } from './texts';

type User = components['schemas']['User'];

const read = (id: string, signal?: AbortSignal): Promise<Tagged<User>> =>
  taggedOf(api.GET('/api/users/{id}', { params: { path: { id } }, signal }));

/** One user: what one may change, the sessions, and the ways back in. */
export default function UserPage() {
  const { id = '' } = useParams();
  const { users } = useTexts();
  const texts = usePeopleTexts();
  const user = useQuery({ queryKey: ['user', id], queryFn: ({ signal }) => read(id, signal) });
  const me = useMe();
  const isOwn = me.kind === 'user' && me.subject === id;
  return (
    <Page
      title={user.data?.record.name || (user.data?.record.email ?? texts.user)}
      lead={<Link href="/users">{users}</Link>}
      tools={!isOwn && user.data && <Remove user={user.data} />}
    >
      <Answer query={user} operation="getUser">
        {(current) => (
          <>
            <div className={styles.columns}>
              <Panel title={texts.user}>
                <UserEditor key={id} current={current} isReadOnly={isOwn} />
              </Panel>
              {isOwn ? (
                <Notice tone="none">
                  {texts.ownAccount} <Link href="/settings">{texts.toOwn}</Link>
                </Notice>
              ) : (
                <div className={lists.side}>
                  <Panel title={texts.passwordLink}>
                    <div className={editor.editor}>
                      <PasswordLink userId={id} />
                    </div>
                  </Panel>
                  <Panel title={texts.secondFactor}>
                    <SecondFactorRemoval userId={id} />
                  </Panel>
                </div>
              )}
            </div>
            <SessionsPanel {...(!isOwn && { userId: id })} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function UserEditor({ current, isReadOnly }: { current: Tagged<User>; isReadOnly: boolean }) {
  const common = useTexts();
  const texts = usePeopleTexts();
  const namesOf = useRoleNames();
  const client = useQueryClient();
  const { id } = current.record;
  // Of the version over which is saved: a changed address asks for the password, so others are not sent.
  const known = useRef(current.record.email);
  return (
    <Editor
      current={current}
      isReadOnly={isReadOnly}
      draftOf={({ email, name, roles, isEnabled }: User) => ({ email, name: name ?? '', roles, isEnabled })}
      shown={[
        [texts.email, 'email'],
        [texts.name, 'name'],
        [texts.roles, 'roles', ({ roles }) => namesOf(roles)],
        [texts.isEnabled, 'isEnabled', ({ isEnabled }) => (isEnabled ? common.enabled : common.disabled)],
      ]}
      read={async () => {
        const newest = await read(id);
        known.current = newest.record.email;
        return newest;
      }}
      save={(draft, etag) => {
        const { email, ...rest } = draft;
        return taggedOf(
          api.PATCH('/api/users/{id}', {
            params: { path: { id }, header: { 'If-Match': etag } },
            body: { ...rest, name: draft.name || null, ...(email !== known.current && { email }) },
          }),
        );
      }}
      saved={(next) => {
        known.current = next.record.email;
        client.setQueryData(['user', id], next);
      }}
    >
      {(draft, set) => (
        <>
          <Field
            {...fieldsOf(draft, set)('email')}
            label={texts.email}
            type="email"
            required
            autoComplete="off"
          />
          <Field {...fieldsOf(draft, set)('name')} label={texts.name} autoComplete="off" />
          <RoleChoice roles={draft.roles} setRoles={(roles) => set({ roles: roles as User['roles'] })} />
          <Check
            label={texts.isEnabled}
            isChecked={draft.isEnabled}
            setChecked={(isEnabled) => set({ isEnabled })}
          />
        </>
      )}
    </Editor>
  );
}

function SecondFactorRemoval({ userId }: { userId: string }) {
  const texts = usePeopleTexts();
  const [isAsking, setAsking] = useState(false);
  const remove = useAction(async () => {
    await api.DELETE('/api/users/{id}/second-factor', { params: { path: { id: userId } } });
    setAsking(false);
    toast(texts.removed);
  });
  return (
    <div className={editor.editor}>
      <p>{texts.removeSecondFactorText}</p>
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          {texts.removeSecondFactor} …
        </Button>
      </div>
      {isAsking && (
        <FormDialog
          title={texts.removeSecondFactor}
          submit={texts.remove}
          isDanger
          action={remove}
          close={() => setAsking(false)}
        >
          <p>{texts.removeSecondFactorHint}</p>
        </FormDialog>
      )}
    </div>
  );
}

function Remove({ user: { record, etag } }: { user: Tagged<User> }) {
  const texts = usePeopleTexts();
  const params = { path: { id: record.id }, header: { 'If-Match': etag } };
  return (
    <RemoveRecord
      label={texts.deleteUser}
      title={texts.deleteUserTitle}
      text={texts.deleteUserText}
      name={record.email}
      id={record.id}
      remove={() => api.DELETE('/api/users/{id}', { params })}
      list="/users"
      queryKey={['user', record.id]}
    />
  );
}
