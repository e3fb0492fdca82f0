import type { components } from '@canvass/client';
import { Button, ForeignText, Panel, State, Table, type Column } from '@canvass/console-ui';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { consolePath } from '../../base';
import { useTexts } from '../../i18n';
import { column, timeColumn } from '../columns';
import { idFact, ShownId } from '../copy-button';
import { FaultNotice, useAction, type Tagged } from '../action';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { saveFile } from '../download';
import { Facts } from '../facts';
import { useKindTexts } from '../kind-texts';
import { Pager } from '../list-parts';
import { useListState } from '../list-state';
import { may, useMe } from '../me';
import { Moment } from '../moment';
import { Page } from '../page';
import { keepRun } from '../record-run';
import styles from '../list.module.css';
import { CollectionStatus, ReviewStatus } from '../submissions/submission-status';
import { EraseDialog } from './erase';
import { Profile } from './profile';
import { useSnapshot, useSubmissionsOf, useSubmitter } from './queries';
import { ErasedState, type Receipt } from './receipt';
import { Subject } from './subject';
import { useSubmitterTexts } from './texts';

/** Names the snapshot that is compared in the URL: `<formId>.<submissionId>`. */
const snapshotKey = 'then';

type Submitter = components['schemas']['Submitter'];
type Submission = components['schemas']['SubmissionOfSubmitter'];

/** One person: identity, profile, all submissions; export and erasure. */
export default function PersonPage() {
  const { submitterId = '' } = useParams();
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  if (receipt?.submitterId === submitterId) return <ErasedState receipt={receipt} />;
  return <Person key={submitterId} submitterId={submitterId} erased={setReceipt} />;
}

function Person({ submitterId, erased }: { submitterId: string; erased(receipt: Receipt): void }) {
  const { submitter: title, submitters } = useTexts();
  const submitter = useSubmitter(submitterId);
  return (
    <Page
      title={submitter.data?.record.displayId ?? title}
      lead={<Link href="/submitters">{submitters}</Link>}
      tools={submitter.data && <Tools submitter={submitter.data} erased={erased} />}
    >
      <Answer query={submitter} operation="getSubmitter">
        {({ record }) => (
          <div className={styles.columns}>
            <Submissions submitterId={submitterId} />
            <Sides submitter={record} />
          </div>
        )}
      </Answer>
    </Page>
  );
}

function Tools({ submitter, erased }: { submitter: Tagged<Submitter>; erased(receipt: Receipt): void }) {
  const texts = useSubmitterTexts();
  const me = useMe();
  const [isErasing, setErasing] = useState(false);
  const { id: submitterId } = submitter.record;
  const download = useAction(async () => {
    const params = { path: { submitterId } };
    const file = await dataOf(api.GET('/api/submitters/{submitterId}/export', { params, parseAs: 'blob' }));
    saveFile(`submitter-${submitterId}.json`, file as Blob);
  });
  return (
    <div className={styles.row}>
      <FaultNotice fault={download.fault} />
      {may(me, 'exportSubmitter') && (
        <Button onClick={() => void download.run()} disabled={download.isBusy}>
          {download.isBusy ? texts.exportBusy : texts.exportPerson}
        </Button>
      )}
      {may(me, 'eraseSubmitter') && (
        <Button look="danger" onClick={() => setErasing(true)}>
          {texts.erase}
        </Button>
      )}
      {isErasing && <EraseDialog submitter={submitter} erased={erased} close={() => setErasing(false)} />}
    </div>
  );
}

function Sides({ submitter }: { submitter: Submitter }) {
  const common = useTexts();
  const texts = useSubmitterTexts();
  const { providers } = useKindTexts();
  const list = useListState();
  const then = list.filter(snapshotKey);
  const snapshot = useSnapshot(then);
  const { authProvider, appUserId, profile, createdAt, modifiedAt, id } = submitter;
  return (
    <div className={styles.side}>
      <Panel title={texts.identity}>
        <Facts
          facts={[
            [texts.provider, <ForeignText>{providers[authProvider] ?? authProvider}</ForeignText>],
            [texts.subject, <Subject of={submitter} />],
            [texts.appUser, appUserId === null ? '–' : <ShownId id={appUserId} />],
            [texts.firstSeen, <Moment at={createdAt} />],
            [common.modifiedAt, <Moment at={modifiedAt} />],
            idFact(id),
          ]}
        />
      </Panel>
      <Panel title={texts.profile} busy={snapshot.isFetching}>
        {snapshot.error !== null && (
          <Answer query={snapshot} operation="getSubmission">
            {() => null}
          </Answer>
        )}
        <Profile
          now={profile as Record<string, unknown>}
          then={snapshot.data ?? null}
          stop={() => list.set(snapshotKey, '')}
        />
      </Panel>
    </div>
  );
}

function Submissions({ submitterId }: { submitterId: string }) {
  const common = useTexts();
  const texts = useSubmitterTexts();
  const list = useListState();
  const submissions = useSubmissionsOf(submitterId, list.place);
  const pageOf = ({ formId, id }: Submission) => `${consolePath}/forms/${formId}/submissions/${id}`;
  const columns: Column<Submission>[] = [
    column('form', common.form, ({ formName, ...submission }) => (
      <Link
        href={`~${pageOf({ formName, ...submission })}`}
        onClick={() => keepRun(submissions.data?.items.map(pageOf) ?? [])}
      >
        <ForeignText isCut>{formName}</ForeignText>
      </Link>
    )),
    column('status', common.reviewStatus, ({ status, isTestSubmission }) => (
      <ReviewStatus status={status} isTest={isTestSubmission} />
    )),
    column('collection', common.collectionStatus, ({ collectionStatus }) => (
      <CollectionStatus status={collectionStatus} />
    )),
    timeColumn('created', common.createdAt, ({ createdAt }) => createdAt),
    column('then', texts.profile, ({ formId, id }) => (
      <Button look="quiet" onClick={() => list.set(snapshotKey, `${formId}.${id}`)}>
        {texts.compare}
      </Button>
    )),
  ];
  return (
    <Panel title={texts.submissionsOf} busy={submissions.isFetching}>
      <Answer query={submissions} operation="listSubmissionsOfSubmitter">
        {(page) =>
          page.items.length === 0 ? (
            <State title={texts.noSubmissionsOf}>{texts.noSubmissionsOfHint}</State>
          ) : (
            <>
              <Table label={texts.submissionsOf} columns={columns} rows={page.items} keyOf={({ id }) => id} />
              <Pager page={page} goTo={list.goTo} />
            </>
          )
        }
      </Answer>
    </Panel>
  );
}
