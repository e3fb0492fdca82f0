import { Field } from '@canvass/console-ui';
import { useState } from 'react';
import { useAction } from '../action';
import { useEditorTexts } from '../editor-texts';
import { FormDialog } from '../form-dialog';
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
  const editor = useEditorTexts();
  const { number } = useFormats();
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={texts.eraseTitle}
      submit={texts.eraseNow}
      isDanger
      action={useAction(() => Promise.resolve(answer(true)))}
      close={() => answer(false)}
      isIncomplete={typed.trim() !== String(erases)}
    >
      <p>{texts.eraseText(number(erases))}</p>
      <Field
        label={editor.typeToConfirm(String(erases))}
        value={typed}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
