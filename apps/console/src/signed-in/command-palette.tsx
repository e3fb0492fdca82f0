import { ForeignText, menuClass } from '@canvass/console-ui';
import { useEffect, useState, type ReactNode } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { useLocation } from 'wouter';
import { pathPrefix } from '../base';
import { prefer, useTexts, type Texts } from '../i18n';
import { session } from '../session';
import { useFound, type Found } from './found';
import { useMe } from './me';
import { listedPages, missingOf } from './pages';
import styles from './shell.module.css';

/** The pages of records, by their kind: what they are called, and where they are. */
const records: Readonly<Partial<Record<string, { name(texts: Texts): string; path(own: Found): string }>>> = {
  form: { name: (texts) => texts.form, path: ({ id }) => `/forms/${id}/submissions` },
  submission: {
    name: (texts) => texts.submission,
    path: ({ id, formId }) => `/forms/${formId}/submissions/${id}`,
  },
  submitter: { name: (texts) => texts.submitter, path: ({ id }) => `/submitters/${id}` },
  dataList: { name: (texts) => texts.dataLists, path: ({ id }) => `/data-lists/${id}` },
  webhookEndpoint: { name: (texts) => texts.endpoints, path: ({ id }) => `/endpoints/${id}` },
  delivery: { name: (texts) => texts.delivery, path: ({ id }) => `/deliveries/${id}` },
  message: { name: (texts) => texts.deliveries, path: ({ id }) => `/deliveries?messageId=${id}` },
  user: { name: (texts) => texts.users, path: ({ id }) => `/users/${id}` },
  serviceAccount: { name: (texts) => texts.serviceAccounts, path: ({ id }) => `/service-accounts/${id}` },
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
    <ModalOverlay className={styles.overlay} isOpen={isOpen} onOpenChange={setOpen} isDismissable>
      <Modal className={styles.dialog}>
        <Dialog aria-label={texts.palette}>
          <Entries close={() => setOpen(false)} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Entries({ close }: { close(): void }) {
  const texts = useTexts();
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
    <Autocomplete filter={contains} inputValue={typed} onInputChange={setTyped}>
      <SearchField className={styles.paletteInput} aria-label={texts.palette} autoFocus>
        <Input placeholder={texts.paletteHint} />
      </SearchField>
      {/* The focus stays in the input: the list needs a place in the order of Tab to be scrolled by keys. */}
      <div className={styles.results} tabIndex={0} role="group" aria-label={texts.palette}>
        <Menu
          className={`${menuClass} ${styles.found}`}
          aria-label={texts.palette}
          renderEmptyState={() => <p className={styles.empty}>{texts.paletteEmpty}</p>}
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
                    <ForeignText isCut>{own.name ?? own.id}</ForeignText>
                    <small>{record.name(texts)}</small>
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
      </div>
    </Autocomplete>
  );
}
