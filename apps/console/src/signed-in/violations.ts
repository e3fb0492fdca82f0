import type { ErrorsByField } from '@canvass/console-ui';
import { useMemo } from 'react';
import type { Fault } from '../api';
import { useFaultText } from '../fault-text';

/** The faults of fields, by their `name`, which is their path in the body. */
export function useErrorsByField(fault: Fault | null): ErrorsByField {
  const { ofViolation } = useFaultText();
  return useMemo(() => {
    const errors: Record<string, string> = {};
    for (const violation of fault?.violations ?? []) {
      const former = errors[violation.path];
      const text = ofViolation(violation);
      errors[violation.path] = former === undefined ? text : `${former}; ${text}`;
    }
    return errors;
    // The focus moves for a new fault only, not with the language.
  }, [fault]);
}
