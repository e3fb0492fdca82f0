import { Panel } from '@canvass/console-ui';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import styles from '../list.module.css';
import { GivenAnswers } from './given-answers';
import { ReviewBar } from './review-buttons';
import { StateAndSubmitter, useSubmission } from './submission-parts';

interface SubmissionBesideProps {
  formId: string;
  submissionId: string;
}

/** A submission beside the list: its answers whole, its state, and its submitter. */
export function SubmissionBeside({ formId, submissionId }: SubmissionBesideProps) {
  const texts = useTexts();
  const submission = useSubmission(formId, submissionId);
  return (
    <Answer query={submission} operation="getSubmission">
      {(data) => (
        <div className={styles.side}>
          <Panel title={texts.answers}>
            <GivenAnswers submission={data} />
          </Panel>
          <StateAndSubmitter submission={data} />
          <ReviewBar submission={data} />
        </div>
      )}
    </Answer>
  );
}
