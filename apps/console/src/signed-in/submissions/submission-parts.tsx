import type { components } from '@canvass/client';
import { Badge, ForeignText, Notice, Panel, Reference, State } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { usePreferences, useTexts, type Texts } from '../../i18n';
import { api, dataOf } from '../api';
import { Facts, type Fact } from '../facts';
import styles from '../list.module.css';
import { may, useMe } from '../me';
import { Moment } from '../moment';
import { answersOf } from './answers';
import { ReviewButtons } from './review-buttons';
import { CollectionStatus, ReviewStatus } from './submission-status';
import { useSubmissionTexts } from './texts';

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

/** The answers with the questions of the time at which they were given. */
export function Answers({ submission, present }: { submission: Submission; present: unknown }) {
  const texts = useTexts();
  const own = useSubmissionTexts();
  const { language } = usePreferences();
  const { definition, isFormer } = useDefinitionAt(submission, present);
  const answers = answersOf(submission.jsonData, definition, language);
  if (answers === null) return <Facts facts={[['JSON', <ForeignText>{submission.jsonData}</ForeignText>]]} />;
  if (answers.length === 0) return <State title={texts.noAnswers}>{texts.noAnswersHint}</State>;
  return (
    <>
      {isFormer && <Notice tone="none">{own.otherDefinition}</Notice>}
      <Facts
        facts={answers.map(({ title, text }) => [
          <ForeignText>{title}</ForeignText>,
          <ForeignText>{text}</ForeignText>,
        ])}
      />
    </>
  );
}

/** The definition in force when the answers were saved; the present one until it is known. */
function useDefinitionAt({ formId, modifiedAt }: Submission, present: unknown) {
  const me = useMe();
  const { data } = useQuery({
    queryKey: ['definition', formId, modifiedAt],
    staleTime: Infinity,
    enabled: may(me, 'listFormVersions') && may(me, 'getFormVersion'),
    async queryFn({ signal }) {
      const query = { at: modifiedAt, limit: 1 };
      const { items } = await dataOf(
        api.GET('/api/forms/{formId}/versions', { params: { path: { formId }, query }, signal }),
      );
      const revision = items[0]?.revision;
      if (revision === undefined) return null;
      const params = { path: { formId, revision } };
      return (await dataOf(api.GET('/api/forms/{formId}/versions/{revision}', { params, signal })))
        .definition;
    },
  });
  const isFormer =
    (data ?? null) !== null && present !== undefined && JSON.stringify(data) !== JSON.stringify(present);
  return { definition: data ?? present, isFormer };
}

/** The state of a submission, which one may set, and who answered. */
export function StateAndSubmitter({ submission }: { submission: Submission & { etag: string } }) {
  const texts = useTexts();
  const me = useMe();
  return (
    <>
      <Panel title={texts.state}>
        {may(me, 'reviewSubmission') && <ReviewButtons submission={submission} />}
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
  const { submitterDisplayId, submitterProfileSnapshot: profile } = submission;
  if (submitterDisplayId === null) return <State title={texts.anonymous}>{texts.anonymousHint}</State>;
  const members = Object.entries(profile ?? {}).map(
    ([name, value]) =>
      [
        <ForeignText>{name}</ForeignText>,
        <ForeignText>{typeof value === 'string' ? value : JSON.stringify(value)}</ForeignText>,
      ] as const,
  );
  return (
    <Facts facts={[['SubmitterDisplayId', <ForeignText>{submitterDisplayId}</ForeignText>], ...members]} />
  );
}

/** The states and times of a submission. */
const factsOf = (data: Submission, texts: Texts): Fact[] => [
  [
    texts.reviewStatus,
    <span className={styles.badges}>
      <ReviewStatus status={data.status} />
      {data.isTestSubmission && <Badge tone="warn">{texts.test}</Badge>}
    </span>,
  ],
  [texts.collectionStatus, <CollectionStatus status={data.collectionStatus} />],
  [texts.startedAt, <Moment at={data.startedAt} />],
  [texts.createdAt, <Moment at={data.createdAt} />],
  [texts.completedAt, <Moment at={data.completedAt} />],
  [texts.modifiedAt, <Moment at={data.modifiedAt} />],
  ['id', <Reference>{data.id}</Reference>],
];
