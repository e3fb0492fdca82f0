import { TypedDialog } from '../delete-dialog';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';

/** A change that erases submissions and waits for an answer. */
export interface Erasing {
  erases: number;
  answer(isConfirmed: boolean): void;
}

/** Asks for the number of submissions before a period of a form erases them. */
export function ConfirmErasure({ erases, answer }: Erasing) {
  const texts = useFormTexts();
  const { number } = useFormats();
  return (
    <TypedDialog
      title={texts.eraseTitle}
      submit={texts.eraseNow}
      confirmation={String(erases)}
      run={() => Promise.resolve(answer(true))}
      close={() => answer(false)}
      field={{ inputMode: 'numeric' }}
    >
      <p>{texts.eraseText(number(erases))}</p>
    </TypedDialog>
  );
}
