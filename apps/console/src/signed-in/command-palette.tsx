import { ForeignText, menuClass } from '@canvass/console-ui';
import { ModalDialog } from '@canvass/console-ui/dialog';
import { useEffect, useState, type ReactNode } from 'react';
import {
  Autocomplete,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { useLocation } from 'wouter';
import { pathPrefix } from '../base';
import { prefer, useTexts } from '../i18n';
import { session } from '../session';
import { useFound, type Found } from './found';
import { useKindTexts } from './kind-texts';
import lists from './list.module.css';
import { useMe } from './me';
import { listedPages, missingOf } from './pages';
import styles from './shell.module.css';
import { useSubmitter } from './submitters/queries';

/** The pages of records, by their kind: its name, and where they are. */
const records: Readonly<Partial<Record<string, { kind: string; path(own: Found): string }>>> = {
  form: { kind: 'form', path: ({ id }) => `/forms/${id}/submissions` },
  submission: { kind: 'submission', path: ({ id, formId }) => `/forms/${formId}/submissions/${id}` },
  submitter: { kind: 'submitter', path: ({ id }) => `/submitters/${id}` },
  dataList: { kind: 'data_list', path: ({ id }) => `/data-lists/${id}` },
  webhookEndpoint: { kind: 'webhook_endpoint', path: ({ id }) => `/endpoints/${id}` },
  delivery: { kind: 'webhook_delivery', path: ({ id }) => `/deliveries/${id}` },
  message: { kind: 'webhook_delivery', path: ({ id }) => `/deliveries?messageId=${id}` },
  user: { kind: 'user', path: ({ id }) => `/users/${id}` },
  serviceAccount: { kind: 'service_account', path: ({ id }) => `/service-accounts/${id}` },
};

interface PaletteProps {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

/** Ctrl+K: goes to pages and records, and runs commands, by what one types. */
export function CommandPalette({ isOpen, setOpen }: PaletteProps) {
  const texts = useTexts();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [setOpen]);
  return (
    <ModalDialog isOpen={isOpen} close={() => setOpen(false)} isDismissable aria-label={texts.palette}>
      <Entries close={() => setOpen(false)} />
    </ModalDialog>
  );
}

function Entries({ close }: { close(): void }) {
  const texts = useTexts();
  const { kinds } = useKindTexts();
  const me = useMe();
  const [, navigate] = useLocation();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [typed, setTyped] = useState('');
  const found = useFound(typed);
  const run = (action: () => void) => () => {
    close();
    action();
  };
  const item = (id: string, title: string, action: () => void): ReactNode => (
    <MenuItem key={id} id={id} textValue={title} onAction={run(action)}>
      {title}
    </MenuItem>
  );
  return (
    // The API found a record by more than what is shown of it. Only the keys of records have a space.
    <Autocomplete
      filter={(text, words, { key }) => String(key).includes(' ') || contains(text, words)}
      inputValue={typed}
      onInputChange={setTyped}
    >
      <SearchField className={styles.paletteInput} aria-label={texts.palette} autoFocus>
        <Input placeholder={texts.paletteHint} />
      </SearchField>
      <Menu
        className={`${menuClass} ${styles.found}`}
        aria-label={texts.palette}
        renderEmptyState={() => <p className={lists.note}>{texts.paletteEmpty}</p>}
      >
        <MenuSection>
          <Header>{texts.palettePages}</Header>
          {listedPages
            .filter((page) => missingOf(me, page) === undefined)
            .map(({ path, name }) => item(path, texts[name], () => navigate(path)))}
        </MenuSection>
        {found.length > 0 && (
          <MenuSection>
            <Header>{texts.paletteRecords}</Header>
            {found.map((own) => {
              const record = records[own.kind];
              if (record === undefined) return null; // a kind of a later API
              return (
                <MenuItem
                  key={`${own.kind} ${own.id}`}
                  id={`${own.kind} ${own.id}`}
                  textValue={`${own.name ?? ''} ${own.id}`}
                  onAction={run(() => navigate(record.path(own)))}
                >
                  <span className={styles.named}>
                    <ForeignText isCut>{own.name ?? own.id}</ForeignText>
                    {own.kind === 'submitter' && <Subject id={own.id} />}
                  </span>
                  <small>{kinds[record.kind]}</small>
                </MenuItem>
              );
            })}
          </MenuSection>
        )}
        <MenuSection>
          <Header>{texts.paletteCommands}</Header>
          {item('light', `${texts.theme}: ${texts.themeLight}`, () => prefer({ theme: 'light' }))}
          {item('dark', `${texts.theme}: ${texts.themeDark}`, () => prefer({ theme: 'dark' }))}
          {item('english', 'Language: English', () => prefer({ language: 'en' }))}
          {item('german', 'Sprache: Deutsch', () => prefer({ language: 'de' }))}
          {item('documents', texts.apiDocs, () => location.assign(`${pathPrefix}/api/docs`))}
          {item('sign-out', texts.signOut, () => void session.signOut())}
        </MenuSection>
      </Menu>
    </Autocomplete>
  );
}

/** The address of a person, or the name at the provider: two people may have one display id. */
function Subject({ id }: { id: string }) {
  const record = useSubmitter(id).data?.record;
  const { email } = (record?.profile ?? {}) as Record<string, unknown>;
  return (
    <small>
      <ForeignText isCut>
        {typeof email === 'string' ? email : (record?.externalSubjectId ?? '\u00a0')}
      </ForeignText>
    </small>
  );
}
