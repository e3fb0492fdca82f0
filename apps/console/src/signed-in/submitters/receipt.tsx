import type { components } from '@canvass/client';
import { Button, buttonClass, Reference, State } from '@canvass/console-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { ShownId } from '../copy-button';
import { saveJson } from '../download';
import { forgetEverywhere } from '../forget';
import { Page } from '../page';
import { useSubmitterTexts } from './texts';

/** A record of what was erased, when and by whom. It has nothing of the person but the id. */
export interface Receipt {
  submitterId: string;
  tenantId: string;
  erasedAt: string;
  erasedBy: { provider: string; kind: string; subject: string };
  /** The request of the erasure; the audit trail has it, too. */
  requestId: string | null;
  answers: 'keep' | 'delete';
  counts: components['schemas']['ErasurePreview'];
  /** The job that erases a person with many submissions; null if the person is erased. */
  jobId: string | null;
}

/** The state after an erasure. When it is shown, all panels of all tabs forget what they have read. */
export function ErasedState({ receipt }: { receipt: Receipt }) {
  const { submitter: title, requestId } = useTexts();
  const texts = useSubmitterTexts();
  const client = useQueryClient();
  useEffect(() => forgetEverywhere(client), [client]);
  const { jobId } = receipt;
  if (jobId !== null) {
    const job = (
      <span>
        {texts.job} <ShownId id={jobId} />
      </span>
    );
    return (
      <Page title={title}>
        <State title={texts.erasingTitle} actions={job}>
          {texts.erasingText}
        </State>
      </Page>
    );
  }
  return (
    <Page title={title}>
      <State
        tone="good"
        title={texts.erasedTitle}
        actions={
          <>
            <Button look="primary" onClick={() => saveJson(`erasure-${receipt.submitterId}.json`, receipt)}>
              {texts.receipt}
            </Button>
            <Link href="/submitters" className={buttonClass}>
              {texts.toSubmitters}
            </Link>
            {receipt.requestId !== null && (
              <span>
                {requestId} <Reference>{receipt.requestId}</Reference>
              </span>
            )}
          </>
        }
      >
        {texts.erasedText}
      </State>
    </Page>
  );
}
