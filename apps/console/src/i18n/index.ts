export type { Texts } from './en';
export {
  languages,
  prefer,
  themes,
  usePreferences,
  useTexts,
  type Language,
  type Theme,
} from './preferences';
