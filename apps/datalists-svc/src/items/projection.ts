import { defaultKey, labelKeyOf, type LocaleCatalog } from '../catalog';

/** The labels that a request asks for. */
export interface LocaleRequest {
  locale: string | undefined;
  includeLocales: readonly string[];
}

export interface LabelKeys {
  /** The key by which labels are shown and sorted. An item without it shows `default`. */
  shown: string;
  /** Further searched keys, from `includeLocales`. */
  included: string[];
  /** Keys of the returned labels, `default` first. */
  projected: string[];
}

/** Resolves the requested locales against those of the list. Unknown ones are ignored. */
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
