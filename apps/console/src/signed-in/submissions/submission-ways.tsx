import type { components } from '@canvass/client';
import { Button, buttonClass, ForeignText } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { consolePath } from '../../base';
import { useTexts } from '../../i18n';
import styles from '../list.module.css';
import { may, useMe } from '../me';
import { besideInRun } from '../record-run';

/** The ways to the submissions beside one, in the list of the grid or of the person it was opened from. */
export function Neighbours({ formId, submissionId }: { formId: string; submissionId: string }) {
  const texts = useTexts();
  const beside = besideInRun(`${consolePath}/forms/${formId}/submissions/${submissionId}`);
  if (beside === null) return null;
  const step = (title: ReactNode, href: string | null) =>
    href === null ? (
      <Button disabled>{title}</Button>
    ) : (
      <Link href={`~${href}`} className={buttonClass} replace>
        {title}
      </Link>
    );
  return (
    <nav className={styles.row} aria-label={texts.submissions}>
      {step(
        <>
          <span aria-hidden="true">←</span> {texts.previousPage}
        </>,
        beside.previous,
      )}
      {step(
        <>
          {texts.nextPage} <span aria-hidden="true">→</span>
        </>,
        beside.next,
      )}
    </nav>
  );
}

/** The way to the person who answered, for a caller who may see persons. */
export function PersonLink({ submission }: { submission: components['schemas']['Submission'] }) {
  const { submitter } = useTexts();
  const me = useMe();
  const { submitterId, submitterDisplayId } = submission;
  if (submitterId === null || !may(me, 'getSubmitter')) return null;
  return (
    <>
      {' · '}
      <Link href={`/submitters/${submitterId}`}>
        {submitter}: <ForeignText isCut>{submitterDisplayId || submitterId}</ForeignText>
      </Link>
    </>
  );
}
