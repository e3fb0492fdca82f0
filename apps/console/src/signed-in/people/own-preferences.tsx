import { SelectField } from '@canvass/console-ui';
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
import lists from '../list.module.css';
import styles from './people.module.css';

/** The choices of how the console looks. A choice takes effect at once. */
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
      <p className={lists.soft}>{may(useMe(), 'saveOwnPreferences') ? texts.keptForYou : texts.keptHere}</p>
      <SelectField
        label={common.language}
        value={language}
        onChange={({ target: { value } }) => prefer({ language: value as Language })}
      >
        {Object.entries(languages).map(([name, title]) => (
          <option key={name} value={name} lang={name}>
            {title}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.zone}
        value={zone}
        onChange={({ target: { value } }) => prefer({ zone: value })}
      >
        <option value="">{texts.zoneBrowser(own)}</option>
        {['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={common.theme}
        value={theme}
        onChange={({ target: { value } }) => prefer({ theme: value as Theme })}
      >
        {themes.map((name) => (
          <option key={name} value={name}>
            {themeNames[name]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.density}
        value={density}
        onChange={({ target: { value } }) => prefer({ density: value as Density })}
      >
        {densities.map((name) => (
          <option key={name} value={name}>
            {texts.densities[name]}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
