import { defaultKey, labelKeyOf, type LocaleCatalog } from '../catalog';

/** Which labels a request wants to see. */
export interface LocaleRequest {
  locale: string | undefined;
  includeLocales: readonly string[];
}

export interface LabelKeys {
  /** The key whose label is shown and sorted by; an item that lacks it shows `default`. */
  shown: string;
  /** Further keys that are searched: those of `includeLocales`. */
  included: string[];
  /** Keys of the answered labels, `default` first. */
  projected: string[];
}

/** Resolves the requested locales against the list's catalogue; those outside it are ignored. */
export function labelKeys(list: LocaleCatalog, request: LocaleRequest): LabelKeys {
  const shown = (request.locale === undefined ? null : labelKeyOf(list, request.locale)) ?? defaultKey;
  const included = request.includeLocales
    .map((text) => labelKeyOf(list, text))
    .filter((key): key is string => key !== null && key !== shown);
  return {
    shown,
    included: [...new Set(included)],
    projected: [...new Set([defaultKey, shown, ...included])],
  };
}
