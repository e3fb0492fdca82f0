import type { components } from '@canvass/client';
import { Badge, Button, ForeignText, Notice, State } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { usePreferences, useTexts } from '../../i18n';
import { Answer } from '../answer';
import { get } from '../api';
import { saveFile } from '../download';
import { Facts } from '../facts';
import { useFormats } from '../formats';
import lists from '../list.module.css';
import { filesOf, type AnswerFile } from './answers';
import styles from './answers.module.css';
import { useCheckTexts } from './check-texts';
import { useSubmissionTexts } from './texts';

type Submission = components['schemas']['SubmissionDetail'];
type AnswerText = components['schemas']['AnswerText'];

/** The answers with the questions and labels of the time at which they were given. */
export function GivenAnswers({ submission }: { submission: Submission }) {
  const texts = useTexts();
  const own = useSubmissionTexts();
  const { language } = usePreferences();
  const checks = useCheckTexts();
  const { formId, id, revision, jsonData, answerFaults } = submission;
  const faultsOf = (name: string) => answerFaults?.filter(({ question }) => question === name) ?? [];
  const query = useQuery({
    queryKey: ['answer-texts', formId, id, revision, language],
    async queryFn({ signal }) {
      const params = { path: { formId }, query: { ids: [id], locale: language } };
      const { items, hasListLabels } = await get('/api/forms/{formId}/answer-texts', params, signal);
      return { ...items[0]!, hasListLabels };
    },
  });
  return (
    <Answer query={query} operation="listAnswerTexts">
      {({ answers, hasFormChanged, hasListLabels }) => {
        if (answers === null) return <Facts facts={[['JSON', <ForeignText>{jsonData}</ForeignText>]]} />;
        if (answers.length === 0) return <State title={texts.noAnswers}>{texts.noAnswersHint}</State>;
        return (
          <>
            {hasFormChanged && <Notice tone="none">{own.otherDefinition}</Notice>}
            {!hasListLabels && <Notice tone="warn">{own.noListLabels}</Notice>}
            <dl className={styles.answers}>
              {answers.map((answer) => (
                <div key={answer.name}>
                  <dt>
                    <ForeignText>{answer.title}</ForeignText>
                  </dt>
                  <dd>
                    <GivenAnswer answer={answer} jsonData={jsonData} />
                    {faultsOf(answer.name).map(({ rule }) => (
                      <div key={rule}>
                        <Badge tone="warn">{checks.rules[rule] ?? checks.otherRule(rule)}</Badge>
                      </div>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </>
        );
      }}
    </Answer>
  );
}

const fileTypes = ['file', 'signaturepad'];

function GivenAnswer({
  answer: { name, type, text, parts },
  jsonData,
}: {
  answer: AnswerText;
  jsonData: string;
}) {
  const own = useSubmissionTexts();
  if (text === null) return <span className={lists.soft}>{own.noAnswer}</span>;
  if (type !== null && fileTypes.includes(type))
    return filesOf(jsonData, name).map((file, n) => <GivenFile key={n} file={file} />);
  if (parts === undefined) return <ForeignText>{text}</ForeignText>;
  return (
    <dl className={styles.parts}>
      {parts.map((part, n) => (
        <div key={n}>
          <dt>
            <ForeignText>{part.title}</ForeignText>
          </dt>
          <dd>
            <ForeignText>{part.text}</ForeignText>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Pictures that a browser shows and that cannot run scripts. */
const pictures = /^image\/(png|jpeg|gif|webp|avif)$/;

function GivenFile({ file: { name, type, bytes, url } }: { file: AnswerFile }) {
  const own = useSubmissionTexts();
  const { number } = useFormats();
  const size = bytes < 1_000 ? `${number(bytes)} B` : `${number(Math.round(bytes / 1_000))} kB`;
  return (
    <figure className={styles.file}>
      {url !== null && pictures.test(type) && <img src={url} alt={name} />}
      <figcaption className={lists.row}>
        <ForeignText>{name}</ForeignText>
        {url !== null && (
          <>
            <span className={lists.soft}>{[type, size].filter(Boolean).join(' · ')}</span>
            <Button look="quiet" onClick={() => saveFile(name, blobOf(url))}>
              {own.download(name)}
            </Button>
          </>
        )}
      </figcaption>
    </figure>
  );
}

function blobOf(url: string): Blob {
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (letter) => letter.charCodeAt(0));
  // As bytes: the browser must not open what a respondent has sent.
  return new Blob([bytes], { type: 'application/octet-stream' });
}
