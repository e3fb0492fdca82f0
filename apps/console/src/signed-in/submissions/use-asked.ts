import { useMemo } from 'react';
import { usePreferences } from '../../i18n';
import { useConfiguration } from '../configuration';
import { askedOf, profileAsked, type Asked } from './asked';
import { useCheckTexts } from './check-texts';
import { useFilterTexts } from './filter-texts';

/** What one can filter the submissions of a form by: its questions, the check, and stored profile fields. */
export function useAsked(definition: unknown): readonly Asked[] {
  const { language } = usePreferences();
  const { submitterGridProfileFields: shown, storedProfileFields: stored } = useConfiguration();
  const texts = useFilterTexts();
  const checks = useCheckTexts();
  return useMemo(
    () => [
      ...askedOf(definition, language, texts),
      {
        field: 'answerCheck',
        title: checks.check,
        kind: 'choices',
        choices: Object.entries(checks.checks),
        list: '',
      },
      ...[...new Set([...shown, ...stored])].map(profileAsked),
    ],
    [definition, language, shown, stored, texts, checks],
  );
}
