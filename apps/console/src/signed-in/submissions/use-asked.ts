import { useMemo } from 'react';
import { usePreferences } from '../../i18n';
import { useConfiguration } from '../configuration';
import { askedOf, profileAsked, type Asked } from './asked';
import { useFilterTexts } from './filter-texts';

/** What one can filter the submissions of a form by: its questions, and the stored profile fields. */
export function useAsked(definition: unknown): readonly Asked[] {
  const { language } = usePreferences();
  const { submitterGridProfileFields: shown, storedProfileFields: stored } = useConfiguration();
  const texts = useFilterTexts();
  return useMemo(
    () => [...askedOf(definition, language, texts), ...[...new Set([...shown, ...stored])].map(profileAsked)],
    [definition, language, shown, stored, texts],
  );
}
