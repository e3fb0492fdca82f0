import { Button, Field } from '@canvass/console-ui';
import { useEffect, useId, useMemo, useRef, type ComponentProps } from 'react';
import { usePreferences } from '../../i18n';
import { useListTexts } from '../data-list-texts';
import { textInput } from '../fields';
import lists from '../list.module.css';
import { codeOf, localeName, offeredLanguages } from './known-languages';

interface LanguageFieldProps extends Pick<ComponentProps<typeof Field>, 'label' | 'required' | 'onKeyDown'> {
  typed: string;
  setTyped(typed: string): void;
}

/** A language, by its name or code. The browser offers those that are known. */
export function LanguageField({ typed, setTyped, ...rest }: LanguageFieldProps) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const offered = useMemo(() => offeredLanguages(language), [language]);
  const isWrong = typed.trim() !== '' && codeOf(typed) === null;
  useEffect(() => input.current!.setCustomValidity(isWrong ? texts.noLanguage : ''), [isWrong, texts]);
  return (
    <>
      <Field
        {...rest}
        ref={input}
        hint={texts.languageHint}
        list={id}
        {...textInput(typed, setTyped)}
        autoComplete="off"
      />
      <datalist id={id}>
        {offered.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** Languages that are chosen, and the text of a further one. */
export interface Chosen {
  codes: readonly string[];
  typed: string;
}

export const noLanguages: Chosen = { codes: [], typed: '' };

/** The codes of what is chosen and typed. */
export const codesOf = ({ codes, typed }: Chosen): string[] => [
  ...new Set([...codes, codeOf(typed)].filter((code) => code !== null)),
];

/** Some languages. What is typed becomes one of them by Enter, or by being sent. */
export function LanguagesField({ chosen, setChosen }: { chosen: Chosen; setChosen(chosen: Chosen): void }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const take = (now: Chosen) => setChosen({ codes: codesOf(now), typed: '' });
  return (
    <>
      <LanguageField
        label={texts.furtherLocales}
        typed={chosen.typed}
        setTyped={(typed) => {
          const now = { ...chosen, typed };
          // A language that is picked has its code behind its name.
          if (typed.endsWith(')')) take(now);
          else setChosen(now);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || chosen.typed.trim() === '') return;
          event.preventDefault();
          if (event.currentTarget.reportValidity()) take(chosen);
        }}
      />
      {chosen.codes.length > 0 && (
        <span className={lists.row}>
          {chosen.codes.map((code) => (
            <Button
              key={code}
              aria-label={texts.removeLocale(localeName(code, language))}
              onClick={() => setChosen({ ...chosen, codes: chosen.codes.filter((own) => own !== code) })}
            >
              {localeName(code, language)} ✕
            </Button>
          ))}
        </span>
      )}
    </>
  );
}
