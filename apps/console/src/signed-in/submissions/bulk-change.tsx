import type { components } from '@canvass/client';
import { Button, Field, Notice } from '@canvass/console-ui';
import { nothingSelected, type Selection } from '@canvass/console-ui/grid';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useTexts, type Texts } from '../../i18n';
import { useAction } from '../action';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { Facts } from '../facts';
import { textInput } from '../fields';
import { OneOf } from '../filters';
import { FormDialog } from '../form-dialog';
import { useFormats } from '../formats';
import { may, useMe } from '../me';
import { Moment } from '../moment';
import type { SubmissionFilter } from './filter';
import { useSubmissionTexts } from './texts';

type Body = components['schemas']['SubmissionBulkChange'];
type Plan = components['schemas']['SubmissionBulkPlan'];
type Job = components['schemas']['Job'];
type Choice = keyof Texts['reviewStatuses'] | 'delete' | 'restore';

/** Most submissions that a change may name. */
const maxNamed = 1000;
/** Submissions that are changed at once. More of them are changed by a job. */
const maxAtOnce = 100;
const path = '/api/forms/{formId}/submissions/bulk';

export interface BulkChangeProps {
  formId: string;
  filter: SubmissionFilter;
  /** Returns whether the list is that of the deleted submissions. */
  isDeleted: boolean;
  selection: Selection;
  setSelection(next: Selection): void;
}

/** Changes all selected submissions: first what would happen, then the change. */
export function BulkChange({ formId, filter, isDeleted, selection, setSelection }: BulkChangeProps) {
  const own = useSubmissionTexts();
  const client = useQueryClient();
  const me = useMe();
  const texts = useTexts();
  const choices: Readonly<Record<string, string>> = isDeleted
    ? { restore: own.restoreThem }
    : { ...texts.reviewStatuses, ...(may(me, 'deleteSubmission') && { delete: own.deleteThem }) };
  const [chosen, setChosen] = useState<Choice>('read');
  const [body, setBody] = useState<Body | null>(null);
  const choice = isDeleted ? 'restore' : chosen;
  const isTooMany = !selection.isAll && selection.keys.size > maxNamed;
  const ask = () =>
    setBody({
      ...(choice === 'delete' || choice === 'restore'
        ? { action: choice }
        : { action: 'status', status: choice }),
      ...(selection.isAll ? { filter } : { submissionIds: [...selection.keys] }),
    } as Body);
  const close = (hasChanged: boolean) => {
    setBody(null);
    if (!hasChanged) return;
    // What is deleted or restored is in this list no longer.
    if (body!.action !== 'status') setSelection(nothingSelected);
    void client.invalidateQueries({ queryKey: ['submissions', formId] });
  };
  return (
    <>
      <OneOf
        title={own.action}
        choices={choices}
        value={choice}
        setValue={(value) => setChosen(value as Choice)}
      />
      <Button
        look="primary"
        disabled={isTooMany}
        title={isTooMany ? own.tooManySelected : undefined}
        onClick={ask}
      >
        {own.changeThem}
      </Button>
      {body !== null && <ChangeDialog formId={formId} body={body} name={choices[choice]!} close={close} />}
    </>
  );
}

interface ChangeDialogProps {
  formId: string;
  body: Body;
  /** The name of the action. */
  name: string;
  close(hasChanged: boolean): void;
}

function ChangeDialog({ formId, body, name, close }: ChangeDialogProps) {
  const own = useSubmissionTexts();
  const { number } = useFormats();
  const me = useMe();
  const [, navigate] = useLocation();
  const [reason, setReason] = useState('');
  const [job, setJob] = useState<Job | null>(null);
  // A repetition after a lost answer changes nothing twice.
  const [key] = useState(() => crypto.randomUUID());
  const plan = useQuery({
    queryKey: ['bulk plan', formId, key],
    queryFn: ({ signal }) => {
      const params = { path: { formId }, query: { dryRun: true } };
      return dataOf(api.POST(path, { params, body, signal })) as Promise<Plan>;
    },
  });
  const change = useAction(async () => {
    const params = { path: { formId }, header: { 'Idempotency-Key': key } };
    const words = reason.trim();
    const sent = { ...body, ...(words !== '' && { reason: words }) };
    const started = (await dataOf(api.POST(path, { params, body: sent }))) as Job;
    if (started.state === 'running' && may(me, 'getJob')) navigate(`/jobs/${started.id}`);
    else setJob(started);
  });
  const count = plan.data?.count ?? 0;
  return (
    <FormDialog
      title={own.changeTitle}
      submit={job === null ? own.changeNow : null}
      action={change}
      close={() => close(job !== null)}
      isIncomplete={count === 0}
    >
      {job !== null ? (
        <Notice tone={job.state === 'failed' ? 'bad' : 'good'}>
          {job.state === 'running' ? own.changesOn : own.changed(number(job.counts['changed'] ?? 0))}
          {(job.counts['skipped'] ?? 0) > 0 && `, ${own.skipped(number(job.counts['skipped']!))}`}
        </Notice>
      ) : (
        <Answer query={plan} operation="changeSubmissions">
          {({ oldest, newest }) => (
            <>
              <p role="status">
                <strong>{own.planned(count, number(count))}</strong> {count > maxAtOnce && own.changeJob}
              </p>
              <Facts
                facts={[
                  [own.action, name],
                  [own.oldest, <Moment at={oldest} />],
                  [own.newest, <Moment at={newest} />],
                ]}
              />
              {body.action === 'delete' && <p>{own.deleteHint}</p>}
              <Field
                name="reason"
                label={own.reason}
                hint={own.reasonHint}
                {...textInput(reason, setReason)}
                maxLength={500}
              />
            </>
          )}
        </Answer>
      )}
    </FormDialog>
  );
}
