import type { ChangeEvent, FormEvent } from 'react';

type TextName<Draft> = { [Name in keyof Draft]: Draft[Name] extends string ? Name : never }[keyof Draft];

/** The members of the input for a text. */
export const textInput = (value: string, set: (text: string) => void) => ({
  value,
  onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(target.value),
});

/** The members of the input for a text of a draft, whose name is that of the text in the API, too. */
export const fieldsOf =
  <Draft extends object>(draft: Draft, set: (change: Partial<Draft>) => void) =>
  (name: TextName<Draft> & string) => ({
    name,
    ...textInput(draft[name] as string, (text) => set({ [name]: text } as unknown as Partial<Draft>)),
  });

/** Runs something in place of what the browser does with a form that is sent. */
export const submitting = (run: () => void) => (event: FormEvent) => {
  event.preventDefault();
  run();
};
