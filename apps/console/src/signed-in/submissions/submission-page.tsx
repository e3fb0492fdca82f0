import { Panel } from '@canvass/console-ui';
import { Link, useParams } from 'wouter';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { useFormats } from '../formats';
import styles from '../list.module.css';
import { may, useMe } from '../me';
import { Page } from '../page';
import { useForm } from '../use-form';
import { Comments } from './comments';
import { DeliveriesOf } from './deliveries-of';
import { GivenAnswers } from './given-answers';
import { ReviewBar } from './review-buttons';
import { SubmissionLinks } from './submission-links';
import { StateAndSubmitter, useSubmission } from './submission-parts';
import { Neighbours, PersonLink } from './submission-ways';

/** One submission: what was answered, by whom, when, and what followed. */
export default function SubmissionPage() {
  const texts = useTexts();
  const me = useMe();
  const { day } = useFormats();
  const { formId = '', submissionId = '' } = useParams();
  const form = useForm(formId);
  const submission = useSubmission(formId, submissionId);
  const { data } = submission;
  const title = data
    ? `${data.submitterDisplayId || texts.anonymous} · ${day(data.completedAt ?? data.createdAt)}`
    : texts.submission;
  const lead = (
    <>
      <Link href={`/forms/${formId}/submissions`}>{form.data?.name ?? texts.submissions}</Link>
      {data && <PersonLink submission={data} />}
    </>
  );
  return (
    <Page title={title} part={form.data?.name} lead={lead}>
      <Answer query={submission} operation="getSubmission" others={[form]}>
        {(own) => (
          <>
            <div className={styles.columns}>
              <div className={styles.side}>
                <Panel title={texts.answers}>
                  <GivenAnswers submission={own} />
                </Panel>
                {may(me, 'listSubmissionComments') && <Comments submission={own} />}
                {may(me, 'listSubmissionLinks') && <SubmissionLinks submission={own} />}
                {may(me, 'listWebhookDeliveries') && <DeliveriesOf submission={own} />}
              </div>
              <div className={styles.side}>
                <StateAndSubmitter submission={own} />
              </div>
            </div>
            <ReviewBar submission={own}>
              <Neighbours formId={formId} submissionId={submissionId} />
            </ReviewBar>
          </>
        )}
      </Answer>
    </Page>
  );
}
