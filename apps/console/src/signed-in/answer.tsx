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
  /** A placeholder as high as the data, if something is below them. Without it: bars. */
  skeleton?: ReactNode;
  children(data: T): ReactNode;
}

/** Shows a request: its data, or the state it is in. Old data stay while it is repeated. */
export function Answer<T>({ query, operation, skeleton, children }: AnswerProps<T>) {
  const texts = useTexts();
  const { time } = useFormats();
  const { data, error, dataUpdatedAt, refetch } = query;
  if (data === undefined && error === null) return <Skeleton label={texts.loading}>{skeleton}</Skeleton>;
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
  const again = <Button onClick={retry}>{texts.retry}</Button>;
  const back = (
    <Link href="/" className={buttonClass}>
      {texts.toOverview}
    </Link>
  );
  const requestId = fault?.requestId ?? null;
  const request = requestId !== null && (
    <span>
      {texts.requestId} <Reference>{requestId}</Reference>
    </span>
  );
  if (fault?.status === 403) {
    const permission = permissionOf(operation) ?? fault.code;
    return (
      <State tone="none" title={texts.forbiddenTitle} actions={back}>
        {texts.forbiddenText(permissionNames[permission] ?? permission, permission)}
      </State>
    );
  }
  if (fault?.status === 404 || fault?.status === 410) {
    return (
      <State tone="none" title={texts.notFoundTitle} actions={back}>
        {texts.notFoundText}
      </State>
    );
  }
  if (fault?.isTemporary === true) {
    const actions = (
      <>
        {again}
        <Countdown seconds={fault.retryAfter ?? 10} ended={retry} key={requestId} />
        {request}
      </>
    );
    return (
      <State tone="bad" title={texts.downTitle} actions={actions}>
        {fault.status === 0 ? texts.notReachableText : outageText(outages) || texts.downText}
      </State>
    );
  }
  const actions = (
    <>
      {again}
      {request}
    </>
  );
  return (
    <State tone="bad" title={texts.failedTitle} actions={actions}>
      {ofFault(error)}
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
