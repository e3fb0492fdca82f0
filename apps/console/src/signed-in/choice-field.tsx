import { SelectField } from '@canvass/console-ui';
import type { ComponentProps } from 'react';

type Given = 'value' | 'onChange' | 'children';

interface ChoiceFieldProps<Value extends string> extends Omit<ComponentProps<typeof SelectField>, Given> {
  value: Value;
  /** Names by value. */
  choices: Readonly<Partial<Record<NoInfer<Value>, string>>>;
  choose(value: NoInfer<Value>): void;
}

/** A choice of one value of some. */
export const ChoiceField = <Value extends string>({ choices, choose, ...rest }: ChoiceFieldProps<Value>) => (
  <SelectField {...rest} onChange={({ target }) => choose(target.value as Value)}>
    {Object.entries(choices as Record<string, string>).map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </SelectField>
);
