import { inputClass } from '@canvass/console-ui';
import { useId, type ReactNode } from 'react';
import {
  densities,
  languages,
  prefer,
  themes,
  usePreferences,
  useTexts,
  type Density,
  type Language,
  type Theme,
} from '../../i18n';
import { may, useMe } from '../me';
import { useOwnTexts } from './own-texts';
import styles from './people.module.css';

/** How the console looks. A choice takes effect at once. */
export function OwnPreferences() {
  const common = useTexts();
  const texts = useOwnTexts();
  const { language, theme, zone, density } = usePreferences();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const themeNames: Record<Theme, string> = {
    system: common.themeSystem,
    light: common.themeLight,
    dark: common.themeDark,
  };
  return (
    <div className={styles.editor}>
      <p className={styles.soft}>{may(useMe(), 'saveOwnPreferences') ? texts.keptForYou : texts.keptHere}</p>
      <Choice
        label={common.language}
        value={language}
        set={(value) => prefer({ language: value as Language })}
      >
        {Object.entries(languages).map(([name, title]) => (
          <option key={name} value={name} lang={name}>
            {title}
          </option>
        ))}
      </Choice>
      <Choice label={texts.zone} value={zone} set={(value) => prefer({ zone: value })}>
        <option value="">{texts.zoneBrowser(own)}</option>
        {['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label={common.theme} value={theme} set={(value) => prefer({ theme: value as Theme })}>
        {themes.map((name) => (
          <option key={name} value={name}>
            {themeNames[name]}
          </option>
        ))}
      </Choice>
      <Choice label={texts.density} value={density} set={(value) => prefer({ density: value as Density })}>
        {densities.map((name) => (
          <option key={name} value={name}>
            {texts.densities[name]}
          </option>
        ))}
      </Choice>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  set(value: string): void;
  children: ReactNode;
}

function Choice({ label, value, set, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.labelled}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={inputClass} value={value} onChange={(event) => set(event.target.value)}>
        {children}
      </select>
    </div>
  );
}
