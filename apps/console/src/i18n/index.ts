export type { Texts } from './en';
export {
  languages,
  onPreferred,
  prefer,
  preferences,
  preferencesOf,
  themes,
  usePreferences,
  useTexts,
  useTextsOf,
  type Density,
  type Language,
  type Preferences,
  type Theme,
} from './preferences';
