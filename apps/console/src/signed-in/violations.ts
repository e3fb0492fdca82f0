import { useMemo } from 'react';
import type { ErrorsByField } from '@canvass/console-ui';
import type { Fault, Violation } from '../api';
import { useTextsOf } from '../i18n';

type Words = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>>;

/** The API says it in English. */
const en: Words = {};

const de: Words = {
  'any.required': () => 'wird benötigt',
  'string.empty': () => 'darf nicht leer sein',
  'string.email': () => 'muss eine E-Mail-Adresse sein',
  'string.uri': () => 'muss eine Adresse sein',
  'string.max': ({ limit }) => `darf höchstens ${String(limit)} Zeichen haben`,
  'string.min': ({ limit }) => `muss mindestens ${String(limit)} Zeichen haben`,
  'number.base': () => 'muss eine Zahl sein',
  'number.integer': () => 'muss eine ganze Zahl sein',
  'number.max': ({ limit }) => `darf höchstens ${String(limit)} sein`,
  'number.min': ({ limit }) => `muss mindestens ${String(limit)} sein`,
  'array.unique': () => 'wiederholt ein früheres Element',
};

/** Describes a broken rule in the words of the person, or else in those of the API. */
function useViolationText(): ({ rule, params, message }: Violation) => string {
  const words = useTextsOf({ en, de });
  return ({ rule, params, message }) => words[rule]?.(params) ?? message;
}

/** The faults of fields, by their `name`, which is their path in the body. */
export function useErrorsByField(fault: Fault | null): ErrorsByField {
  const textOf = useViolationText();
  return useMemo(() => {
    const errors: Record<string, string> = {};
    for (const violation of fault?.violations ?? []) {
      const former = errors[violation.path];
      errors[violation.path] = former === undefined ? textOf(violation) : `${former}; ${textOf(violation)}`;
    }
    return errors;
    // The focus moves for a new fault only, not with the language.
  }, [fault]);
}
