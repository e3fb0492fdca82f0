import { Fault, type Violation } from './api';
import { useTexts } from './i18n';
import { useFaultTexts } from './i18n/texts-faults';

/** Describes faults in the words of the person, or else in those of the API. */
export function useFaultText() {
  const texts = useTexts();
  const { problems, rules } = useFaultTexts();
  const ofViolation = ({ rule, params, message }: Violation): string => rules[rule]?.(params) ?? message;
  return {
    ofViolation,
    /** @param field what people call the only field, in place of its path */
    ofFault(error: Error, field?: string): string {
      if (!(error instanceof Fault)) return error.message || texts.failedTitle;
      if (error.status === 0) return texts.notReachableText;
      const own = problems[error.code];
      if (error.violations.length > 0 && (own !== undefined || field !== undefined))
        return `${error.violations.map((each) => `${field ?? each.path} ${ofViolation(each)}`).join('; ')}.`;
      return own ?? (error.message || error.code || texts.failedTitle);
    },
  };
}
