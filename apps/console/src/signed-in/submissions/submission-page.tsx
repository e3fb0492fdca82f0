import { Panel } from '@canvass/console-ui';
import { Link, useParams } from 'wouter';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import styles from '../list.module.css';
import { may, useMe } from '../me';
import { Page } from '../page';
import { useForm } from '../use-form';
import { DeliveriesOf } from './deliveries-of';
import { GivenAnswers } from './given-answers';
import { SubmissionLinks } from './submission-links';
import { StateAndSubmitter, useSubmission } from './submission-parts';
import { Neighbours, PersonLink } from './submission-ways';

/** One submission: what was answered, by whom, when, and what followed. */
export default function SubmissionPage() {
  const texts = useTexts();
  const me = useMe();
  const { formId = '', submissionId = '' } = useParams();
  const form = useForm(formId);
  const submission = useSubmission(formId, submissionId);
  const lead = (
    <>
      <Link href={`/forms/${formId}/submissions`}>{form.data?.name ?? texts.submissions}</Link>
      {submission.data && <PersonLink submission={submission.data} />}
    </>
  );
  const tools = <Neighbours formId={formId} submissionId={submissionId} />;
  return (
    <Page title={texts.submission} lead={lead} tools={tools}>
      <Answer query={submission} operation="getSubmission">
        {(data) => (
          <div className={styles.columns}>
            <div className={styles.side}>
              <Panel title={texts.answers}>
                <GivenAnswers submission={data} />
              </Panel>
              {may(me, 'listSubmissionLinks') && <SubmissionLinks submission={data} />}
              {may(me, 'listWebhookDeliveries') && <DeliveriesOf submission={data} />}
            </div>
            <div className={styles.side}>
              <StateAndSubmitter submission={data} />
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}
