import type { components } from '@canvass/client';
import { Badge, ForeignText, Panel, Reference, State } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { usePreferences, useTexts } from '../i18n';
import { Answer } from './answer';
import { answersOf } from './answers';
import { api, dataOf } from './api';
import styles from './list.module.css';
import { Moment } from './moment';
import { Page } from './page';
import { CollectionStatus, ReviewStatus } from './submission-status';

type Submission = components['schemas']['SubmissionDetail'];

/** One submission: what was answered, by whom, and when. */
export function SubmissionPage() {
  const texts = useTexts();
  const { formId = '', submissionId = '' } = useParams();
  const form = useQuery({
    queryKey: ['form', formId],
    queryFn: ({ signal }) => dataOf(api.GET('/api/forms/{formId}', { params: { path: { formId } }, signal })),
  });
  const submission = useQuery({
    queryKey: ['submission', formId, submissionId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/forms/{formId}/submissions/{submissionId}', {
          params: { path: { formId, submissionId } },
          signal,
        }),
      ),
  });
  const lead = <Link href={`/forms/${formId}/submissions`}>{form.data?.name ?? texts.submissions}</Link>;
  return (
    <Page title={texts.submission} lead={lead}>
      <Answer query={submission} operation="getSubmission">
        {(data) => (
          <div className={styles.columns}>
            <Panel title={texts.answers}>
              <Answers jsonData={data.jsonData} definition={form.data?.definition} />
            </Panel>
            <div className={styles.side}>
              <Panel title={texts.state}>
                <Facts facts={factsOf(data, texts)} />
              </Panel>
              <Panel title={texts.submitter}>
                <Profile submission={data} />
              </Panel>
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}

function Answers({ jsonData, definition }: { jsonData: string; definition: unknown }) {
  const texts = useTexts();
  const { language } = usePreferences();
  const answers = answersOf(jsonData, definition, language);
  if (answers === null) return <Facts facts={[['JSON', <ForeignText>{jsonData}</ForeignText>]]} />;
  if (answers.length === 0) return <State title={texts.noAnswers}>{texts.noAnswersHint}</State>;
  return (
    <Facts
      facts={answers.map(({ title, text }) => [
        <ForeignText>{title}</ForeignText>,
        <ForeignText>{text}</ForeignText>,
      ])}
    />
  );
}

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

function factsOf(data: Submission, texts: ReturnType<typeof useTexts>): Fact[] {
  return [
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
}

type Fact = readonly [name: ReactNode, value: ReactNode];

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value], index) => (
        // Facts have no identity of their own, and their order does not change.
        <FactRow key={index} name={name} value={value} />
      ))}
    </dl>
  );
}

function FactRow({ name, value }: { name: ReactNode; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
