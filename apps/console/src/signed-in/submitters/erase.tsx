import type { components } from '@canvass/client';
import { Notice, Skeleton } from '@canvass/console-ui';
import { useState } from 'react';
import { useTexts } from '../../i18n';
import type { Tagged } from '../action';
import { Answer } from '../answer';
import { api } from '../api';
import { Radios } from '../check';
import { TypedDialog } from '../delete-dialog';
import editor from '../editor.module.css';
import { useFormats } from '../formats';
import lists from '../list.module.css';
import { may, useMe } from '../me';
import { confirmationOf } from '../typable';
import { maxCounted, useErasurePreview, useSentTo, useSubmissionsOf } from './queries';
import type { Receipt } from './receipt';
import { useSubmitterTexts } from './texts';

type Preview = components['schemas']['ErasurePreview'];

interface EraseProps {
  submitter: Tagged<components['schemas']['Submitter']>;
  erased(receipt: Receipt): void;
  close(): void;
}

/** Says what an erasure ends, and asks for the display id before it begins. */
export function EraseDialog({ submitter: { record, etag }, erased, close }: EraseProps) {
  const texts = useSubmitterTexts();
  const me = useMe();
  const [answers, setAnswers] = useState<'keep' | 'delete'>('keep');
  const name = confirmationOf(record.displayId, record.id);
  const preview = useErasurePreview(record.id);
  const erase = async () => {
    const { response, data: job } = await api.DELETE('/api/submitters/{submitterId}', {
      params: {
        path: { submitterId: record.id },
        query: { submissions: answers },
        header: { 'If-Match': etag },
      },
    });
    erased({
      submitterId: record.id,
      tenantId: me.tenantId,
      erasedAt: new Date(response.headers.get('date') ?? Date.now()).toISOString(),
      erasedBy: { provider: me.provider, kind: me.kind, subject: me.subject },
      requestId: response.headers.get('x-request-id'),
      answers,
      counts: preview.data!,
      jobId: job?.id ?? null,
    });
  };
  return (
    <TypedDialog
      title={texts.eraseTitle}
      submit={texts.eraseNow}
      confirmation={name}
      run={erase}
      close={close}
      isIncomplete={preview.data === undefined}
      field={{ label: texts.typeDisplayId(name) }}
    >
      <p>{texts.eraseLead}</p>
      <Answer query={preview} operation="previewSubmitterErasure">
        {(counts) => <Effects submitterId={record.id} counts={counts} />}
      </Answer>
      <fieldset className={editor.records}>
        <legend>{texts.answersOf}</legend>
        <Radios
          choices={{ keep: texts.keepAnswers, delete: texts.deleteAnswers }}
          value={answers}
          choose={setAnswers}
        />
      </fieldset>
      {answers === 'keep' && <Notice tone="warn">{texts.keptAsTyped}</Notice>}
    </TypedDialog>
  );
}

/** Shows what goes, and who has received it already. */
function Effects({ submitterId, counts }: { submitterId: string; counts: Preview }) {
  const texts = useSubmitterTexts();
  const { number } = useFormats();
  return (
    <ul className={lists.bullets}>
      <li>{texts.erasedWith(number(counts.submissions), number(counts.forms))}</li>
      {counts.deletedSubmissions > 0 && <li>{texts.erasedDeleted(number(counts.deletedSubmissions))}</li>}
      {counts.formerAnswers > 0 && <li>{texts.erasedAnswers(number(counts.formerAnswers))}</li>}
      {counts.gates > 0 && <li>{texts.freedGates(number(counts.gates))}</li>}
      {may(useMe(), 'listWebhookDeliveries') && <SentTo submitterId={submitterId} />}
    </ul>
  );
}

function SentTo({ submitterId }: { submitterId: string }) {
  const { loading } = useTexts();
  const texts = useSubmitterTexts();
  const { number } = useFormats();
  const { data: page } = useSubmissionsOf(submitterId, {});
  const sent = useSentTo(page?.items.map(({ id }) => id) ?? []);
  if (page === undefined || sent === null) return <Skeleton label={loading} rows={1} />;
  if (sent.deliveries === 0) return <li>{texts.sentNone}</li>;
  return (
    <li>
      {texts.sent(number(sent.deliveries), number(sent.endpoints))}{' '}
      {page.items.length > maxCounted && texts.sentNewest(maxCounted)}
    </li>
  );
}
