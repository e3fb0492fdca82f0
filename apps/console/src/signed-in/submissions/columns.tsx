import type { components } from '@canvass/client';
import { Badge, ForeignText } from '@canvass/console-ui';
import type { GridColumn, GridLayout } from '@canvass/console-ui/grid';
import type { Texts } from '../../i18n';
import styles from '../list.module.css';
import { Moment } from '../moment';
import { textOf, type Question } from './answers';
import { CollectionStatus, ReviewStatus } from './submission-status';
import type { SubmissionTexts } from './texts';

export type Submission = components['schemas']['SubmissionFields'];

/** Answers that are columns until the user chooses. */
const shownAnswers = 3;
/** The longest list of members that a request may name, with room for one more. */
const maxFieldsLength = 7_500;

const times = ['createdAt', 'startedAt', 'completedAt', 'modifiedAt'] as const;

/** The columns of the submissions of a form. */
export function columnsOf(
  profileFields: readonly string[],
  questions: readonly Question[],
  texts: Texts,
  own: SubmissionTexts,
): GridColumn<Submission>[] {
  return [
    {
      key: 'submitterDisplayId',
      title: 'SubmitterDisplayId',
      group: own.groupSubmitter,
      width: 200,
      isPinned: true,
      isLink: true,
      isSortable: true,
      cell: ({ submitterDisplayId: id }) =>
        (id ?? null) === null ? texts.anonymous : <ForeignText isCut>{id!}</ForeignText>,
      text: ({ submitterDisplayId: id }) => id ?? '',
    },
    ...profileFields.map((name) => textColumn(`profile.${name}`, name, own.groupSubmitter, profileOf(name))),
    {
      key: 'status',
      title: texts.reviewStatus,
      group: own.groupSystem,
      width: 150,
      isSortable: true,
      cell: ({ status, isTestSubmission }) => (
        <span className={styles.badges}>
          <ReviewStatus status={status} />
          {isTestSubmission === true && <Badge tone="warn">{texts.test}</Badge>}
        </span>
      ),
      text: ({ status = '' }) => status,
    },
    {
      key: 'collectionStatus',
      title: texts.collectionStatus,
      group: own.groupSystem,
      width: 140,
      isSortable: true,
      cell: ({ collectionStatus }) => <CollectionStatus status={collectionStatus} />,
      text: ({ collectionStatus = '' }) => collectionStatus,
    },
    ...questions.map(({ name, title }, index) => ({
      ...textColumn(answerKey(name), title, own.groupAnswers, ({ answers }: Submission) => answers?.[name]),
      isHidden: index >= shownAnswers,
    })),
    ...times.map((key) => ({
      key,
      title: texts[key],
      group: own.groupTimes,
      width: 200,
      isSortable: true,
      isHidden: key === 'startedAt' || key === 'modifiedAt',
      cell: (row: Submission) => <Moment at={row[key]} />,
      text: (row: Submission) => row[key] ?? '',
    })),
    {
      key: 'id',
      title: 'id',
      group: own.groupSystem,
      width: 180,
      isHidden: true,
      isSortable: true,
      cell: ({ id }) => <code>{id}</code>,
      text: ({ id = '' }) => id,
    },
  ];
}

function textColumn(
  key: string,
  title: string,
  group: string,
  valueOf: (row: Submission) => unknown,
): GridColumn<Submission> {
  const text = (row: Submission) => ((valueOf(row) ?? null) === null ? '' : textOf(valueOf(row)));
  return {
    key,
    title,
    group,
    width: 180,
    cell: (row) => (text(row) === '' ? '–' : <ForeignText isCut>{text(row)}</ForeignText>),
    text,
  };
}

const profileOf =
  (name: string) =>
  ({ submitterProfileSnapshot }: Submission): unknown =>
    (submitterProfileSnapshot as Record<string, unknown> | null | undefined)?.[name];

const answerPrefix = 'answers.';
const answerKey = (name: string): string => `${answerPrefix}${name}`;

/** Dots lead into an answer and commas separate members: such names cannot be asked for. */
export const isAnswerPath = ({ name }: Question): boolean => /^[^.,]+$/.test(name);

const always = 'id,submitterDisplayId,submitterProfileSnapshot,status,collectionStatus,isTestSubmission';

/** The members that the shown columns need: answers of hidden columns are not read. */
export function fieldsOf(columns: readonly GridColumn<Submission>[], { hidden }: GridLayout): string {
  let fields = [always, ...times].join(',');
  for (const { key, isHidden = false } of columns) {
    const isShown = !(hidden[key] ?? isHidden);
    if (!key.startsWith(answerPrefix) || !isShown || fields.length + key.length > maxFieldsLength) continue;
    fields += `,${key}`;
  }
  return fields;
}
