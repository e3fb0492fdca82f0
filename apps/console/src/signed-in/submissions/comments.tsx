import type { components } from '@canvass/client';
import { AreaField, Button, ForeignText, Panel } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../action';
import { ActionForm } from '../action-form';
import { Answer } from '../answer';
import { api, get } from '../api';
import { Author, isCaller } from '../author';
import { textInput } from '../fields';
import lists from '../list.module.css';
import { may, useMe } from '../me';
import { Moment } from '../moment';
import { useCommentTexts } from './comment-texts';
import styles from './comments.module.css';

type Submission = Pick<components['schemas']['SubmissionDetail'], 'id' | 'formId'>;

/** The API permits 500 on a submission; further ones are rare. */
const shown = 200;
const ofSubmission = '/api/forms/{formId}/submissions/{submissionId}/comments';

/** What staff wrote on a submission, the newest first. */
export function Comments({ submission: { id: submissionId, formId } }: { submission: Submission }) {
  const own = useCommentTexts();
  const me = useMe();
  const [text, setText] = useState('');
  // As the API decides: a comment of another person needs both permissions.
  const mayDelete = may(me, 'deleteSubmissionComment');
  const mayDeleteAll = may(me, 'changeSubmission');
  const path = { formId, submissionId };
  const queryKey = ['submission comments', submissionId];
  const comments = useQuery({
    queryKey,
    queryFn: ({ signal }) => get(ofSubmission, { path, query: { limit: shown } }, signal),
  });
  const add = useChange([queryKey], async () => {
    await api.POST(ofSubmission, { params: { path }, body: { text } });
    setText('');
  });
  const remove = useChange([queryKey], (commentId: string) =>
    api.DELETE(`${ofSubmission}/{commentId}`, { params: { path: { ...path, commentId } } }),
  );
  return (
    <Panel title={own.comments} busy={comments.isFetching}>
      {may(me, 'createSubmissionComment') && (
        <ActionForm
          className={lists.work}
          action={{ ...add, fault: add.fault ?? remove.fault }}
          submit={own.add}
          isIncomplete={text.trim() === ''}
        >
          <AreaField
            name="text"
            label={own.label}
            hint={own.hint}
            rows={2}
            maxLength={4000}
            required
            {...textInput(text, setText)}
          />
        </ActionForm>
      )}
      <Answer query={comments} operation="listSubmissionComments">
        {({ items }) =>
          items.length === 0 ? (
            <p className={lists.note}>{own.noComments}</p>
          ) : (
            <ul className={styles.comments}>
              {items.map(({ id, text: words, createdBy, createdAt }) => (
                <li key={id}>
                  <div className={styles.head}>
                    <strong>
                      <Author of={createdBy} />
                    </strong>
                    <Moment at={createdAt} />
                    {mayDelete && (mayDeleteAll || isCaller(me, createdBy)) && (
                      <Button
                        look="danger"
                        aria-label={own.removeOf(words.slice(0, 40))}
                        disabled={remove.isBusy}
                        onClick={() => void remove.run(id)}
                      >
                        {own.remove}
                      </Button>
                    )}
                  </div>
                  <p>
                    <ForeignText>{words}</ForeignText>
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Panel>
  );
}
