import { buttonClass, menuClass, popoverClass } from '@canvass/console-ui';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { useLocation } from 'wouter';
import { languages, prefer, themes, usePreferences, useTexts, type Language, type Theme } from '../i18n';
import { session } from '../session';
import { useMe } from './me';
import styles from './shell.module.css';

/** The user, and what a user may choose: language, theme, sign-out. */
export function AccountMenu() {
  const texts = useTexts();
  const me = useMe();
  const [, navigate] = useLocation();
  const { language, theme } = usePreferences();
  const name = me.name || me.email || me.subject;
  const themeNames: Record<Theme, string> = {
    system: texts.themeSystem,
    light: texts.themeLight,
    dark: texts.themeDark,
  };
  return (
    <MenuTrigger>
      {/* The name begins with what is visible, for users who speak to their computer. */}
      <Button className={buttonClass} aria-label={`${initialsOf(name)}, ${texts.accountOf(name)}`}>
        {initialsOf(name)}
      </Button>
      <Popover className={popoverClass} placement="bottom end">
        <p className={styles.who}>
          <bdi>{name}</bdi>
        </p>
        <Menu className={menuClass} aria-label={texts.accountOf(name)}>
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[language]}
            onSelectionChange={(keys) => prefer({ language: [...keys][0] as Language })}
          >
            <Header>{texts.language}</Header>
            {Object.entries(languages).map(([own, title]) => (
              <MenuItem key={own} id={own}>
                {title}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => prefer({ theme: [...keys][0] as Theme })}
          >
            <Header>{texts.theme}</Header>
            {themes.map((own) => (
              <MenuItem key={own} id={own}>
                {themeNames[own]}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection aria-label={texts.settings}>
            <MenuItem id="settings" onAction={() => navigate('/settings')}>
              {texts.settings}
            </MenuItem>
            <MenuItem id="sign-out" onAction={() => void session.signOut()}>
              {texts.signOut}
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** Two letters of a name, or one. */
const initialsOf = (name: string): string =>
  name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((part) => [...part][0] ?? '')
    .join('')
    .toUpperCase();
