import { Button } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { useTexts, type Texts } from '../../i18n';
import { FaultNotice, useChange } from '../action';
import { api } from '../api';
import { may, useMe } from '../me';
import lists from '../list.module.css';
import styles from './answers.module.css';
import { useSubmissionTexts } from './texts';

type Status = keyof Texts['reviewStatuses'];

interface ReviewButtonsProps {
  submission: { id: string; formId: string; status: string; etag: string };
}

/** What stays in sight below a long submission: its review status, for a caller who may set it, and ways. */
export function ReviewBar({ submission, children }: ReviewButtonsProps & { children?: ReactNode }) {
  const mayReview = may(useMe(), 'reviewSubmission');
  return (
    <div className={styles.review}>
      {mayReview && <ReviewButtons submission={submission} />}
      {children}
    </div>
  );
}

/** Sets the review status of a submission, unless it was changed since it was read. */
function ReviewButtons({ submission }: ReviewButtonsProps) {
  const { id: submissionId, formId, status, etag } = submission;
  const texts = useTexts();
  const own = useSubmissionTexts();
  const read = [
    ['submission', formId, submissionId],
    ['submissions', formId],
  ];
  const review = useChange(read, (next: Status) =>
    api.POST('/api/forms/{formId}/submissions/{submissionId}/status', {
      params: { path: { formId, submissionId }, header: { 'If-Match': etag } },
      body: { status: next },
    }),
  );
  return (
    <div className={lists.row} role="group" aria-label={own.setStatus}>
      <span className={lists.soft}>{texts.reviewStatus}</span>
      {Object.entries(texts.reviewStatuses).map(([next, name]) => (
        <Button
          key={next}
          aria-pressed={next === status}
          disabled={review.isBusy}
          onClick={() => next !== status && void review.run(next as Status)}
        >
          {name}
        </Button>
      ))}
      <FaultNotice fault={review.fault} outdated={own.changedMeanwhile} />
    </div>
  );
}
