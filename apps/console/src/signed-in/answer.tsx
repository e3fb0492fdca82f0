import { Button, buttonClass, Notice, Reference, Skeleton, State } from '@canvass/console-ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Fault } from '../api';
import { useFaultText } from '../fault-text';
import { useTexts } from '../i18n';
import { useOutageText } from '../outage-text';
import { useFormats } from './formats';
import { useOutages } from './health';
import { permissionOf } from './me';
import { useRoleTexts } from './role-texts';

export interface AnswerProps<T> {
  query: UseQueryResult<T>;
  /** Operation id of the request; names the missing permission. */
  operation: string;
  /** Requests for what is shown beside the data: it would move them if it came later. */
  others?: readonly Pick<UseQueryResult, 'isLoading'>[];
  /** A placeholder as high as the data, if something is below them. Without it: bars. */
  skeleton?: ReactNode;
  children(data: T): ReactNode;
}

/** Shows a request: its data, or the state it is in. Old data stay while it is repeated. */
export function Answer<T>({ query, operation, others = [], skeleton, children }: AnswerProps<T>) {
  const texts = useTexts();
  const { time } = useFormats();
  const { data, error, dataUpdatedAt, refetch } = query;
  const isComing = data === undefined ? error === null : others.some(({ isLoading }) => isLoading);
  if (isComing) return <Skeleton label={texts.loading}>{skeleton}</Skeleton>;
  if (data === undefined) {
    return <FaultState error={error!} operation={operation} retry={() => void refetch()} />;
  }
  return (
    <>
      {error !== null && (
        <Notice tone="warn">
          {texts.downTitle}. {texts.asOf(time(dataUpdatedAt))}.
        </Notice>
      )}
      {children(data)}
    </>
  );
}

/** Returns whether the record of a page is not there, or not for the user: nothing leads on from it. */
export const isNothing = ({ data, error }: UseQueryResult): boolean =>
  data === undefined && error instanceof Fault && nothing.includes(error.status);

/** Not permitted, not there, or no longer there. */
const nothing = [403, 404, 410];

interface FaultStateProps {
  error: Error;
  operation: string;
  retry(): void;
}

/** The reason why there are no data, and what to do next. */
export function FaultState({ error, operation, retry }: FaultStateProps) {
  const texts = useTexts();
  const { ofFault } = useFaultText();
  const { permissionNames } = useRoleTexts();
  const outageText = useOutageText();
  const { outages } = useOutages();
  const fault = error instanceof Fault ? error : null;
  const { status, requestId = null, isTemporary = false } = fault ?? {};
  if (fault !== null && nothing.includes(fault.status)) {
    const permission = permissionOf(operation) ?? fault.code;
    const text =
      status === 403
        ? texts.forbiddenText(permissionNames[permission] ?? permission, permission)
        : texts.notFoundText;
    const back = (
      <Link href="/" className={buttonClass}>
        {texts.toOverview}
      </Link>
    );
    return <State title={text} actions={back} />;
  }
  const downText = status === 0 ? texts.notReachableText : outageText(outages) || texts.downText;
  const actions = (
    <>
      <Button onClick={retry}>{texts.retry}</Button>
      {isTemporary && <Countdown seconds={fault?.retryAfter ?? 10} ended={retry} key={requestId} />}
      {requestId !== null && (
        <span>
          {texts.requestId} <Reference>{requestId}</Reference>
        </span>
      )}
    </>
  );
  return (
    <State tone="bad" title={isTemporary ? texts.downTitle : texts.failedTitle} actions={actions}>
      {isTemporary ? downText : ofFault(error)}
    </State>
  );
}

/** Counts down to the next attempt and begins it. */
function Countdown({ seconds, ended }: { seconds: number; ended(): void }) {
  const texts = useTexts();
  const [left, setLeft] = useState(Math.max(1, Math.ceil(seconds)));
  useEffect(() => {
    const timer = setTimeout(() => {
      if (left > 1) setLeft(left - 1);
      else {
        ended();
        setLeft(Math.max(1, Math.ceil(seconds)));
      }
    }, 1000);
    return () => clearTimeout(timer);
  }, [left, seconds, ended]);
  return <span>{texts.retryIn(left)}</span>;
}
