import type { components } from '@canvass/client';
import { Button, Field, Panel, State, Table, type Column } from '@canvass/console-ui';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { FaultNotice, useChange } from '../action';
import { Answer } from '../answer';
import { api, dataOf, get } from '../api';
import { Author } from '../author';
import { ChoiceField } from '../choice-field';
import { column, foreignColumn, timeColumn } from '../columns';
import { textInput } from '../fields';
import { FormDialog } from '../form-dialog';
import styles from '../list.module.css';
import { may, useMe } from '../me';
import { Moment } from '../moment';
import { pageAddress } from '../page-address';
import { Once } from '../people/once';
import { useExpiry } from '../use-expiry';
import { useLinkTexts } from './links-texts';

type Submission = Pick<components['schemas']['SubmissionDetail'], 'id' | 'formId' | 'isComplete'>;
type SubmissionLink = components['schemas']['SubmissionLink'];
type Right = SubmissionLink['right'];

/** A submission has few. */
const maxLinks = 200;

/** The links with which persons open a submission: who has what right, and since when. */
export function SubmissionLinks({ submission }: { submission: Submission }) {
  const texts = useLinkTexts();
  const me = useMe();
  const [isMaking, setMaking] = useState(false);
  const path = { formId: submission.formId, submissionId: submission.id };
  const query = { limit: maxLinks };
  const queryKey = ['submission links', submission.id];
  const links = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await get('/api/forms/{formId}/submissions/{submissionId}/links', { path, query }, signal)).items,
  });
  const revoke = useChange([queryKey], (linkId: string) => {
    const params = { path: { ...path, linkId } };
    return api.DELETE('/api/forms/{formId}/submissions/{submissionId}/links/{linkId}', { params });
  });
  const columns: Column<SubmissionLink>[] = [
    column('right', texts.right, ({ right }) => texts.rights[right]),
    foreignColumn('note', texts.note, ({ note }) => note),
    column('made', texts.made, ({ createdAt, createdBy }) => (
      <span>
        <Moment at={createdAt} /> <Author of={createdBy} />
      </span>
    )),
    timeColumn('used', texts.lastUsed, ({ lastUsedAt }) => lastUsedAt),
    timeColumn('expires', texts.expires, ({ expiresAt }) => expiresAt),
    column('revoke', texts.revoke, ({ id, revokedAt, expiresAt }) => {
      if (revokedAt !== null) return texts.revoked;
      if (Date.parse(expiresAt) <= Date.now()) return texts.expired;
      if (!may(me, 'revokeSubmissionLink')) return null;
      return (
        <Button look="danger" onClick={() => void revoke.run(id)} disabled={revoke.isBusy}>
          {texts.revoke}
        </Button>
      );
    }),
  ];
  return (
    <Panel
      title={texts.links}
      busy={links.isFetching}
      tools={
        may(me, 'createSubmissionLink') && <Button onClick={() => setMaking(true)}>{texts.newLink}</Button>
      }
    >
      {revoke.fault !== null && (
        <div className={styles.work}>
          <FaultNotice fault={revoke.fault} />
        </div>
      )}
      <Answer query={links} operation="listSubmissionLinks">
        {(items) =>
          items.length === 0 ? (
            <State title={texts.noLinks}>{texts.noLinksHint}</State>
          ) : (
            <Table label={texts.links} columns={columns} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Answer>
      {isMaking && <NewLink submission={submission} queryKey={queryKey} close={() => setMaking(false)} />}
    </Panel>
  );
}

interface NewLinkProps {
  submission: Submission;
  /** The key of the links. */
  queryKey: QueryKey;
  close(): void;
}

/** Makes a link, and shows it once. */
function NewLink({ submission: { id, formId, isComplete }, queryKey, close }: NewLinkProps) {
  const texts = useLinkTexts();
  const [right, setRight] = useState<Right>(isComplete ? 'view' : 'continue');
  const [note, setNote] = useState('');
  const expiry = useExpiry(texts);
  const [address, setAddress] = useState<string | null>(null);
  const make = useChange([queryKey], async () => {
    const { token } = await dataOf(
      api.POST('/api/forms/{formId}/submissions/{submissionId}/links', {
        params: { path: { formId, submissionId: id } },
        body: { right, ...(note !== '' && { note }), ...expiry.member },
      }),
    );
    setAddress(`${pageAddress({ id: formId })}#link=${token!}`);
  });
  return (
    <FormDialog
      title={texts.newLinkTitle}
      submit={address === null ? texts.makeLink : null}
      action={make}
      close={close}
    >
      {address === null ? (
        <>
          <p>{texts.newLinkHint}</p>
          <ChoiceField label={texts.right} value={right} choices={texts.rights} choose={setRight} />
          {expiry.field}
          <Field
            label={texts.note}
            hint={texts.noteHint}
            name="note"
            maxLength={500}
            autoComplete="off"
            {...textInput(note, setNote)}
          />
        </>
      ) : (
        <Once label={texts.link} text={address}>
          {texts.linkOnce}
        </Once>
      )}
    </FormDialog>
  );
}
