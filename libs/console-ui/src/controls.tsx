import {
  useId,
  type ButtonHTMLAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
} from 'react';
import styles from './controls.module.css';
import { useFieldError } from './field-errors';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is the one action of a page; `quiet` has no border. */
  look?: 'primary' | 'quiet';
}

/** A button. It does not submit a form unless its `type` says so. */
export function Button({ look, type = 'button', className = '', ...rest }: ButtonProps) {
  const looks = look === undefined ? '' : styles[look];
  return <button {...rest} type={type} className={`${styles.button} ${looks} ${className}`} />;
}

/** The class of a link that looks like a button. */
export const buttonClass = styles.button!;

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A text input with its label and, below it, what is wrong with it, and a hint. */
export function Field({ label, hint, ...rest }: FieldProps) {
  const id = useId();
  const error = useFieldError(rest.name);
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        className={styles.input}
        aria-invalid={error !== undefined}
        aria-describedby={described.filter(Boolean).join(' ') || undefined}
      />
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

export interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: ReactNode;
}

/** A choice from a list with its label. Its children are the options. */
export function SelectField({ label, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select {...rest} id={id} className={styles.input} />
    </div>
  );
}
