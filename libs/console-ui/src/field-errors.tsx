import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react';
import styles from './controls.module.css';

/** The faults of fields, by their `name`. */
export type ErrorsByField = Readonly<Record<string, string>>;

const Context = createContext<ErrorsByField>({});

export interface FieldErrorsProps {
  /** The same object as long as the errors are the same: another one moves the focus. */
  errors: ErrorsByField;
  children: ReactNode;
}

/** Shows errors at the fields within that have their names, and moves the focus to the first of these. */
export function FieldErrors({ errors, children }: FieldErrorsProps) {
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return (
    <Context value={errors}>
      <div ref={fields} className={styles.fields}>
        {children}
      </div>
    </Context>
  );
}

/** The fault of a field or an element of it (`formIds[0]`); undefined: nothing that is known. */
export function useFieldError(name: string | undefined): string | undefined {
  const errors = useContext(Context);
  if (name === undefined) return undefined;
  return Object.entries(errors).find(([path]) => path === name || path.startsWith(`${name}[`))?.[1];
}
