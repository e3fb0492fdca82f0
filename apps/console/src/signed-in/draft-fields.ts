import type { ChangeEvent } from 'react';

type TextName<Draft> = { [Name in keyof Draft]: Draft[Name] extends string ? Name : never }[keyof Draft];

/** The members of the input for a text of a draft, whose name is that of the text in the API, too. */
export const fieldsOf =
  <Draft extends object>(draft: Draft, set: (change: Partial<Draft>) => void) =>
  (name: TextName<Draft> & string) => ({
    name,
    value: draft[name] as string,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      set({ [name]: target.value } as unknown as Partial<Draft>),
  });
