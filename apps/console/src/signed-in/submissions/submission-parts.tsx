import type { components } from '@canvass/client';
import { ForeignText, Panel, State } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { useTexts, type Texts } from '../../i18n';
import { idFact } from '../copy-button';
import { api } from '../api';
import { Facts, type Fact } from '../facts';
import { Moment } from '../moment';
import { textOf } from '../submitters/profile';
import { useSubmitterTexts } from '../submitters/texts';
import { CollectionStatus, ReviewStatus } from './submission-status';

type Submission = components['schemas']['SubmissionDetail'];

/** One submission, with its tag. */
export const useSubmission = (formId: string, submissionId: string) =>
  useQuery({
    queryKey: ['submission', formId, submissionId],
    async queryFn({ signal }) {
      const params = { path: { formId, submissionId } };
      const path = '/api/forms/{formId}/submissions/{submissionId}';
      const { data, response } = await api.GET(path, { params, signal });
      return { ...data!, etag: response.headers.get('etag') ?? '' };
    },
  });

/** The state of a submission, and who answered. */
export function StateAndSubmitter({ submission }: { submission: Submission }) {
  const texts = useTexts();
  return (
    <>
      <Panel title={texts.state}>
        <Facts facts={factsOf(submission, texts)} />
      </Panel>
      <Panel title={texts.submitter}>
        <Profile submission={submission} />
      </Panel>
    </>
  );
}

/** Shows who answered, as stored then. */
function Profile({ submission }: { submission: Submission }) {
  const texts = useTexts();
  const { displayId } = useSubmitterTexts();
  const { submitterDisplayId, submitterProfileSnapshot: profile } = submission;
  if (submitterDisplayId === null) return <State title={texts.anonymous}>{texts.anonymousHint}</State>;
  const members = Object.entries(profile ?? {}).map(
    ([name, value]) =>
      [<ForeignText>{name}</ForeignText>, <ForeignText>{textOf(value)}</ForeignText>] as const,
  );
  return <Facts facts={[[displayId, <ForeignText>{submitterDisplayId}</ForeignText>], ...members]} />;
}

/** The states and times of a submission. */
const factsOf = (data: Submission, texts: Texts): Fact[] => [
  [texts.reviewStatus, <ReviewStatus status={data.status} isTest={data.isTestSubmission} />],
  [texts.collectionStatus, <CollectionStatus status={data.collectionStatus} />],
  [texts.startedAt, <Moment at={data.startedAt} />],
  [texts.createdAt, <Moment at={data.createdAt} />],
  [texts.completedAt, <Moment at={data.completedAt} />],
  [texts.modifiedAt, <Moment at={data.modifiedAt} />],
  idFact(data.id),
];
