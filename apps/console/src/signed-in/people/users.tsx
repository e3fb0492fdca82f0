import type { components } from '@canvass/client';
import { Badge, Button, Field, Panel, Table } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useTexts } from '../../i18n';
import { useAction } from '../action';
import { Answer } from '../answer';
import { api, dataOf, get } from '../api';
import { column, foreignColumn, timeColumn } from '../columns';
import { fieldsOf } from '../fields';
import { EnabledBadge } from '../list-parts';
import { FormDialog } from '../form-dialog';
import { useKeyRows } from '../key-rows';
import { useListState } from '../list-state';
import { Page } from '../page';
import { useRoleNames, useRoleTexts } from '../role-texts';
import { RecordGrid } from '../record-grid';
import { RoleChoice, useRoles } from './choices';
import lists from '../list.module.css';
import { usePeopleTexts } from './texts';

type User = components['schemas']['User'];
type Role = components['schemas']['Role'];

/** The users of the tenant, and what their roles permit. */
export default function UsersPage() {
  const common = useTexts();
  const texts = usePeopleTexts();
  const namesOf = useRoleNames();
  const list = useListState();
  const [isCreating, setCreating] = useState(false);
  const search = list.filter('search');
  const users = useKeyRows<User>({
    queryKey: ['users', search],
    isFresh: true,
    read: (place, signal) => get('/api/users', { query: { ...place, ...(search && { search }) } }, signal),
  });
  const columns: GridColumn<User>[] = [
    foreignColumn('email', texts.email, ({ email }) => email, { isLink: true }),
    foreignColumn('name', texts.name, ({ name }) => name),
    column('roles', texts.roles, ({ roles }) => namesOf(roles)),
    column('state', common.state, ({ isEnabled }) => <EnabledBadge isEnabled={isEnabled} />),
    timeColumn('signIn', texts.lastSignIn, ({ lastSignInAt }) => lastSignInAt),
  ];
  return (
    <Page
      title={common.users}
      tools={
        <Button look="primary" onClick={() => setCreating(true)}>
          {texts.newUser}
        </Button>
      }
    >
      {isCreating && <NewUser close={() => setCreating(false)} />}
      <RecordGrid
        screen="users"
        isTable
        search={list.searchBox(texts.filterUsers)}
        list={users}
        operation="listUsers"
        label={texts.allUsers}
        columns={columns}
        nothing={{ title: texts.noUsers, hint: texts.noUsersHint }}
      />
      <RoleMatrix />
    </Page>
  );
}

/** A user is made without a password, and then invited by a link on the user's page. */
function NewUser({ close }: { close(): void }) {
  const texts = usePeopleTexts();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState({ email: '', name: '', roles: [] as string[] });
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const field = fieldsOf(draft, set);
  // The same for all attempts: a repetition after a lost answer makes no second user.
  const [key] = useState(() => crypto.randomUUID());
  const create = useAction(async () => {
    const body = { email: draft.email, name: draft.name || null, roles: draft.roles as Role['name'][] };
    const { id } = await dataOf(
      api.POST('/api/users', { params: { header: { 'Idempotency-Key': key } }, body }),
    );
    navigate(`/users/${id}`);
  });
  return (
    <FormDialog title={texts.newUser} submit={texts.create} action={create} close={close}>
      <p className={lists.soft}>{texts.inviteHint}</p>
      <Field {...field('email')} label={texts.email} type="email" required autoComplete="off" autoFocus />
      <Field {...field('name')} label={texts.name} autoComplete="off" />
      <RoleChoice roles={draft.roles} setRoles={(roles) => set({ roles })} />
    </FormDialog>
  );
}

/** Shows which role permits what, as the API has it. */
function RoleMatrix() {
  const texts = usePeopleTexts();
  const { roleNames, permissionNames } = useRoleTexts();
  const roles = useRoles();
  return (
    <Panel title={texts.rolesAndPermissions}>
      <Answer query={roles} operation="listRoles">
        {(items) => (
          <Table
            label={texts.rolesAndPermissions}
            columns={[
              column('permission', texts.permission, (name: string) => (
                <span title={name}>{permissionNames[name] ?? name}</span>
              )),
              ...items.map(({ name, permissions }) =>
                column(name, roleNames[name] ?? name, (own: string) =>
                  (permissions as string[]).includes(own) ? <Badge tone="good">{texts.yes}</Badge> : '–',
                ),
              ),
            ]}
            rows={[...new Set(items.flatMap(({ permissions }) => permissions))].sort()}
            keyOf={(name) => name}
          />
        )}
      </Answer>
    </Panel>
  );
}
