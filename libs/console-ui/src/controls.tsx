import { useId, type ComponentProps, type ReactNode } from 'react';
import styles from './controls.module.css';
import { useFieldError } from './field-errors';

export interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` is the one action of a page, `quiet` has no border, and `danger` ends something for good. */
  look?: 'primary' | 'quiet' | 'danger';
}

/** A button. It does not submit a form unless its `type` says so. */
export function Button({ look, type = 'button', className = '', ...rest }: ButtonProps) {
  const looks = look === undefined ? '' : styles[look];
  return <button {...rest} type={type} className={`${styles.button} ${looks} ${className}`} />;
}

/** The class of a link that looks like a button. */
export const buttonClass = styles.button!;

/** The class of a link that looks like the one action of a page. */
export const primaryClass = `${buttonClass} ${styles.primary}`;

/** The class of what one types or chooses in, without a label beside it. */
export const boxClass = styles.box!;

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> {
  /** Names it for screen readers, and stands in it while it is empty. */
  label: string;
  value: string;
  setValue(value: string): void;
}

/** A field for the words of a search. */
export const SearchInput = ({ label, setValue, ...rest }: SearchInputProps) => (
  <input
    placeholder={label}
    {...rest}
    type="search"
    className={boxClass}
    aria-label={label}
    onChange={(event) => setValue(event.target.value)}
  />
);

interface Described {
  label: ReactNode;
  hint?: ReactNode;
}

export type FieldProps = ComponentProps<'input'> & Described;

/** A text input with its label and, below it, what is wrong with it, and a hint. */
export const Field = ({ label, hint, ...rest }: FieldProps) => (
  <Labelled label={label} hint={hint} name={rest.name}>
    {(own) => <input {...rest} {...own} />}
  </Labelled>
);

export type AreaFieldProps = ComponentProps<'textarea'> & Described;

/** As `Field`, for several lines. */
export const AreaField = ({ label, hint, ...rest }: AreaFieldProps) => (
  <Labelled label={label} hint={hint} name={rest.name}>
    {(own) => <textarea {...rest} {...own} />}
  </Labelled>
);

interface LabelledProps extends Described {
  name: string | undefined;
  children(own: {
    id: string;
    className: string | undefined;
    'aria-invalid': boolean;
    'aria-describedby': string | undefined;
  }): ReactNode;
}

function Labelled({ label, hint, name, children }: LabelledProps) {
  const id = useId();
  const error = useFieldError(name);
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: styles.input,
        'aria-invalid': error !== undefined,
        'aria-describedby': described.filter(Boolean).join(' ') || undefined,
      })}
      {error !== undefined && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
    </div>
  );
}

export type SelectFieldProps = ComponentProps<'select'> & Described;

/** A choice from a list with its label and a hint. Its children are the options. */
export const SelectField = ({ label, hint, ...rest }: SelectFieldProps) => (
  <Labelled label={label} hint={hint} name={rest.name}>
    {(own) => <select {...rest} {...own} />}
  </Labelled>
);
