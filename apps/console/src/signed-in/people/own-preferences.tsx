import { languages, prefer, usePreferences, useTexts } from '../../i18n';
import { ChoiceField } from '../choice-field';
import editor from '../editor.module.css';
import { may, useMe } from '../me';
import { useOwnTexts } from './own-texts';
import lists from '../list.module.css';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

/** The choices of how the console looks. A choice takes effect at once. */
export function OwnPreferences() {
  const common = useTexts();
  const texts = useOwnTexts();
  const { language, theme, zone, density } = usePreferences();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className={editor.editor}>
      <p className={lists.soft}>{may(useMe(), 'saveOwnPreferences') ? texts.keptForYou : texts.keptHere}</p>
      <ChoiceField
        label={common.language}
        value={language}
        choices={languages}
        choose={(chosen) => prefer({ language: chosen })}
      />
      <ChoiceField
        label={texts.zone}
        value={zone}
        choices={{ '': texts.zoneBrowser(own), ...Object.fromEntries(zones.map((name) => [name, name])) }}
        choose={(chosen) => prefer({ zone: chosen })}
      />
      <ChoiceField
        label={common.theme}
        value={theme}
        choices={{ system: common.themeSystem, light: common.themeLight, dark: common.themeDark }}
        choose={(chosen) => prefer({ theme: chosen })}
      />
      <ChoiceField
        label={texts.density}
        value={density}
        choices={texts.densities}
        choose={(chosen) => prefer({ density: chosen })}
      />
    </div>
  );
}
