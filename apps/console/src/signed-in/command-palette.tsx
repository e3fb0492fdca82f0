import { useEffect, type ReactNode } from 'react';
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
import { prefer, useTexts } from '../i18n';
import { session } from '../session';
import { useMe } from './me';
import { missingOf, pages } from './pages';
import styles from './shell.module.css';

interface PaletteProps {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

/** Ctrl+K: goes to pages and runs commands, by what one types. */
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
    <Autocomplete filter={contains}>
      <SearchField className={styles.paletteInput} aria-label={texts.palette} autoFocus>
        <Input placeholder={texts.paletteHint} />
      </SearchField>
      {/* The focus stays in the input: the list needs a place in the order of Tab to be scrolled by keys. */}
      <div className={styles.results} tabIndex={0} role="group" aria-label={texts.palette}>
        <Menu
          className={styles.menu}
          aria-label={texts.palette}
          renderEmptyState={() => <p className={styles.empty}>{texts.paletteEmpty}</p>}
        >
          <MenuSection>
            <Header>{texts.palettePages}</Header>
            {pages
              .filter((page) => page.isListed && missingOf(me, page) === undefined)
              .map(({ path, title }) => item(path, title(texts), () => navigate(path)))}
          </MenuSection>
          <MenuSection>
            <Header>{texts.paletteCommands}</Header>
            {item('light', `${texts.theme}: ${texts.themeLight}`, () => prefer({ theme: 'light' }))}
            {item('dark', `${texts.theme}: ${texts.themeDark}`, () => prefer({ theme: 'dark' }))}
            {item('english', 'Language: English', () => prefer({ language: 'en' }))}
            {item('german', 'Sprache: Deutsch', () => prefer({ language: 'de' }))}
            {item('documents', texts.apiDocs, () => location.assign('/api/docs'))}
            {item('sign-out', texts.signOut, () => void session.signOut())}
          </MenuSection>
        </Menu>
      </div>
    </Autocomplete>
  );
}
