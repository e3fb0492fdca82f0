import type { components } from '@canvass/client';
import { Button, Field, Notice, Panel } from '@canvass/console-ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { taggedOf, useChange, type Tagged } from '../action';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { Check } from '../check';
import { CopyButton } from '../copy-button';
import { RemoveRecord } from '../delete-dialog';
import { fieldsOf } from '../fields';
import { Editor } from '../editor';
import { FormDialog } from '../form-dialog';
import editor from '../editor.module.css';
import { useFormats } from '../formats';
import { Page } from '../page';
import { RecordsChoice } from '../records-choice';
import { useRoleNames } from '../role-texts';
import { useNames } from '../use-names';
import { instantOf, zonedOf } from '../zoned-time';
import { RoleChoice } from './choices';
import { Once } from './once';
import styles from './people.module.css';
import { usePeopleTexts } from './texts';

type Account = components['schemas']['ServiceAccount'];

const read = (id: string, signal?: AbortSignal): Promise<Tagged<Account>> =>
  taggedOf(api.GET('/api/service-accounts/{id}', { params: { path: { id } }, signal }));

/** One service account: what it may do, and its secret. */
export default function AccountPage() {
  const { id = '' } = useParams();
  const { serviceAccounts } = useTexts();
  const texts = usePeopleTexts();
  const account = useQuery({
    queryKey: ['service-account', id],
    queryFn: ({ signal }) => read(id, signal),
  });
  return (
    <Page
      title={account.data?.record.name ?? texts.account}
      lead={<Link href="/service-accounts">{serviceAccounts}</Link>}
      tools={account.data && <Remove account={account.data} />}
    >
      <Answer query={account} operation="getServiceAccount">
        {(current) => (
          <div className={styles.columns}>
            <Panel title={texts.account}>
              <AccountEditor key={id} current={current} />
            </Panel>
            <Panel title={texts.secret}>
              <Secret account={current.record} />
            </Panel>
          </div>
        )}
      </Answer>
    </Page>
  );
}

/** Times are in the zone in which they are shown. */
const draftIn =
  (zone: string) =>
  ({ name, roles, isEnabled, expiresAt, formIds }: Account) => ({
    name,
    roles,
    isEnabled,
    expiresAt: zonedOf(expiresAt ?? '', zone),
    formIds: formIds ?? [],
  });

function AccountEditor({ current }: { current: Tagged<Account> }) {
  const common = useTexts();
  const texts = usePeopleTexts();
  const namesOf = useRoleNames();
  const client = useQueryClient();
  const { zone } = usePreferences();
  const { id } = current.record;
  const names = useNames('form').data?.names;
  return (
    <Editor
      current={current}
      draftOf={draftIn(zone)}
      shown={[
        [texts.name, 'name'],
        [texts.roles, 'roles', ({ roles }) => namesOf(roles)],
        [texts.mayUse, 'isEnabled', ({ isEnabled }) => (isEnabled ? common.enabled : common.disabled)],
        [texts.expires, 'expiresAt'],
        [
          texts.forms,
          'formIds',
          ({ formIds }) => formIds.map((own) => names?.get(own) ?? own).join(', ') || texts.allForms,
        ],
      ]}
      read={() => read(id)}
      save={({ name, roles, isEnabled, expiresAt, formIds }, etag) =>
        taggedOf(
          api.PATCH('/api/service-accounts/{id}', {
            params: { path: { id }, header: { 'If-Match': etag } },
            body: {
              name,
              roles,
              isEnabled,
              expiresAt: instantOf(expiresAt, zone) || null,
              formIds: formIds.length === 0 ? null : formIds,
            },
          }),
        )
      }
      saved={(next) => client.setQueryData(['service-account', id], next)}
    >
      {(draft, set) => (
        <>
          <Field {...fieldsOf(draft, set)('name')} label={texts.name} required autoComplete="off" />
          <RoleChoice roles={draft.roles} setRoles={(roles) => set({ roles: roles as Account['roles'] })} />
          <RecordsChoice
            kind="form"
            texts={{
              title: texts.forms,
              none: texts.allForms,
              find: texts.addForm,
              notFound: texts.noFormFound,
            }}
            ids={draft.formIds}
            setIds={(formIds) => set({ formIds })}
          />
          <Field
            {...fieldsOf(draft, set)('expiresAt')}
            label={texts.expires}
            hint={texts.expiresHint}
            type="datetime-local"
          />
          <Check
            label={texts.mayUse}
            isChecked={draft.isEnabled}
            setChecked={(isEnabled) => set({ isEnabled })}
          />
        </>
      )}
    </Editor>
  );
}

function Secret({ account: { id, clientId, previousSecretExpiresAt } }: { account: Account }) {
  const texts = usePeopleTexts();
  const { moment } = useFormats();
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  // Of one rotation: a repetition after a lost answer makes no further secret.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const rotate = useChange([['service-account', id]], async () => {
    const params = { path: { id }, header: { 'Idempotency-Key': key } };
    const made = await dataOf(api.POST('/api/service-accounts/{id}/rotate-secret', { params }));
    setSecret(made.clientSecret);
    setAsking(false);
    setKey(crypto.randomUUID());
  });
  return (
    <div className={editor.editor}>
      <p>
        {texts.clientId} <code>{clientId}</code> <CopyButton text={clientId} look="quiet" />
      </p>
      <p>{texts.rotateText}</p>
      {previousSecretExpiresAt !== null && <p>{texts.formerUntil(moment(previousSecretExpiresAt))}</p>}
      {isAsking && (
        <FormDialog title={texts.rotate} submit={texts.rotate} action={rotate} close={() => setAsking(false)}>
          <p>{texts.rotateText}</p>
        </FormDialog>
      )}
      {secret !== null && <Notice tone="good">{texts.rotated}</Notice>}
      {secret !== null && (
        <Once label={texts.secret} text={secret}>
          {texts.secretOnce}
        </Once>
      )}
      <div>
        <Button onClick={() => setAsking(true)}>{texts.rotate} …</Button>
      </div>
    </div>
  );
}

function Remove({ account: { record, etag } }: { account: Tagged<Account> }) {
  const texts = usePeopleTexts();
  const params = { path: { id: record.id }, header: { 'If-Match': etag } };
  return (
    <RemoveRecord
      label={texts.deleteUser}
      title={texts.deleteAccountTitle}
      text={texts.deleteAccountText}
      name={record.name}
      id={record.id}
      remove={() => api.DELETE('/api/service-accounts/{id}', { params })}
      list="/service-accounts"
      queryKey={['service-account', record.id]}
    />
  );
}
