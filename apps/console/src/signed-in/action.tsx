import { Notice } from '@canvass/console-ui';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Fault } from '../api';
import { useTexts } from '../i18n';
import lists from './list.module.css';
import styles from './shell.module.css';
import { useFaultText } from '../fault-text';
import { useErrorsByField } from './violations';

/** A change that a person begins: whether it runs, and why it failed. */
export interface Action<Arguments extends unknown[]> {
  run(...values: Arguments): Promise<void>;
  isBusy: boolean;
  fault: Fault | null;
}

/** A change with its state. It does not run twice at the same time. */
export function useAction<Arguments extends unknown[]>(
  change: (...values: Arguments) => Promise<void>,
): Action<Arguments> {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  return {
    isBusy,
    fault,
    async run(...values) {
      if (isBusy) return;
      setBusy(true);
      setFault(null);
      try {
        await change(...values);
      } catch (error) {
        setFault(faultIn(error));
      } finally {
        setBusy(false);
      }
    },
  };
}

/**
 * A change after which data are read again, also after a refusal: another person may have changed them.
 *
 * @param keys of the queries of these data
 */
export function useChange<Arguments extends unknown[]>(
  keys: readonly QueryKey[],
  change: (...values: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const client = useQueryClient();
  return useAction(async (...values: Arguments) => {
    try {
      await change(...values);
    } finally {
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    }
  });
}

const faultIn = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault(-1, '', String(error));

/**
 * The reason why a change failed, in one sentence with what to do next. Of several invalid fields there is a
 * list, which leads to those of the form.
 *
 * @param outdated what to say after a change of another person, where the page shows it already
 */
export function FaultNotice({ fault: error, outdated }: { fault: Error | null; outdated?: string }) {
  const texts = useTexts();
  const { ofFault } = useFaultText();
  const fault = useMemo(() => (error === null ? null : faultIn(error)), [error]);
  const errors = Object.entries(useErrorsByField(fault));
  if (fault === null) return null;
  const sentence = () => {
    if (fault.status === 412) return outdated ?? texts.changedMeanwhile;
    if (fault.status === 0) return texts.unknownOutcome;
    // At its field the message of a single error stands already.
    if (errors.length > 0) return texts.checkFields;
    return ofFault(fault);
  };
  return (
    <Notice tone="bad">
      {sentence()}
      {errors.length > 0 && (
        <ul className={lists.bullets}>
          {errors.map(([path, error]) => (
            <li key={path}>
              <button
                type="button"
                className={styles.toField}
                onClick={({ currentTarget }) => focusField(currentTarget.form, path)}
              >
                {path}
              </button>
              : {error}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

/** A record with the tag that a change of it sends back. */
export interface Tagged<T> {
  record: T;
  etag: string;
}

/** The data of a call with their tag. */
export async function taggedOf<T>(call: Promise<{ data?: T; response: Response }>): Promise<Tagged<T>> {
  const { data, response } = await call;
  return { record: data as T, etag: response.headers.get('etag') ?? '' };
}
