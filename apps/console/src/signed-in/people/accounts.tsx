import type { components } from '@canvass/client';
import { Button, Field } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useState } from 'react';
import { useTexts } from '../../i18n';
import { useChange } from '../action';
import { api, dataOf, get } from '../api';
import { column, foreignColumn, timeColumn } from '../columns';
import { fieldsOf } from '../fields';
import { FormDialog } from '../form-dialog';
import { EnabledBadge } from '../list-parts';
import { useKeyRows } from '../key-rows';
import { Page } from '../page';
import { useRoleNames } from '../role-texts';
import { RecordGrid } from '../record-grid';
import { RoleChoice } from './choices';
import { Once } from './once';
import { usePeopleTexts } from './texts';

type Account = components['schemas']['ServiceAccount'];

/** The service accounts of the tenant: programs that call the API. */
export default function AccountsPage() {
  const common = useTexts();
  const texts = usePeopleTexts();
  const namesOf = useRoleNames();
  const [isCreating, setCreating] = useState(false);
  const accounts = useKeyRows<Account>({
    queryKey: ['service-accounts'],
    isFresh: true,
    read: (query, signal) => get('/api/service-accounts', { query }, signal),
  });
  const columns: GridColumn<Account>[] = [
    foreignColumn('name', texts.name, ({ name }) => name, { isLink: true }),
    column('client', texts.clientId, ({ clientId }) => <code>{clientId}</code>),
    column('roles', texts.roles, ({ roles }) => namesOf(roles)),
    column('state', common.state, ({ isEnabled }) => <EnabledBadge isEnabled={isEnabled} />),
    timeColumn('used', texts.lastUsed, ({ lastUsedAt }) => lastUsedAt),
    timeColumn('expires', texts.expires, ({ expiresAt }) => expiresAt),
  ];
  return (
    <Page
      title={common.serviceAccounts}
      tools={
        <Button look="primary" onClick={() => setCreating(true)}>
          {texts.newAccount}
        </Button>
      }
    >
      {isCreating && <NewAccount close={() => setCreating(false)} />}
      <RecordGrid
        screen="service-accounts"
        isTable
        list={accounts}
        operation="listServiceAccounts"
        label={texts.allAccounts}
        columns={columns}
        nothing={{ title: texts.noAccounts, hint: texts.noAccountsHint }}
      />
    </Page>
  );
}

/** The secret is shown after the account was made, and never again. */
function NewAccount({ close }: { close(): void }) {
  const texts = usePeopleTexts();
  const [draft, setDraft] = useState({ name: '', roles: [] as string[] });
  const [secret, setSecret] = useState<string | null>(null);
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  // The same for all attempts: a repetition after a lost answer makes no second account.
  const [key] = useState(() => crypto.randomUUID());
  const create = useChange([['service-accounts']], async () => {
    const params = { header: { 'Idempotency-Key': key } };
    const body = { name: draft.name, roles: draft.roles as Account['roles'] };
    const { clientSecret } = await dataOf(api.POST('/api/service-accounts', { params, body }));
    setSecret(clientSecret);
  });
  return (
    <FormDialog
      title={texts.newAccount}
      submit={secret === null ? texts.create : null}
      action={create}
      close={close}
    >
      {secret === null ? (
        <>
          <Field {...fieldsOf(draft, set)('name')} label={texts.name} required autoComplete="off" />
          <RoleChoice roles={draft.roles} setRoles={(roles) => set({ roles })} />
        </>
      ) : (
        <Once label={texts.secret} text={secret}>
          {texts.secretOnce}
        </Once>
      )}
    </FormDialog>
  );
}
