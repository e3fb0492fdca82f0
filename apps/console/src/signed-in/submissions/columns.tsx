import type { components } from '@canvass/client';
import { Badge, ForeignText } from '@canvass/console-ui';
import { placed, type GridColumn, type GridLayout } from '@canvass/console-ui/grid';
import type { Texts } from '../../i18n';
import { column, foreignColumn, idColumn, timeColumn } from '../columns';
import { textOf } from '../submitters/profile';
import type { Question } from './answers';
import type { CheckTexts } from './check-texts';
import { CollectionStatus, ReviewStatus } from './submission-status';
import type { SubmissionTexts } from './texts';

/** A submission with the texts of the shown answers by question. */
export type Submission = components['schemas']['SubmissionFields'] & {
  texts?: Readonly<Record<string, string | null>>;
};

/** Answers that are columns until the user chooses. */
const shownAnswers = 3;
/** Questions of a request. */
const maxQuestions = 100;
/** Characters of their names. */
const maxNamesLength = 4_000;

const times = ['createdAt', 'startedAt', 'completedAt', 'modifiedAt'] as const;

/** The columns of the submissions of a form. */
export function columnsOf(
  profileFields: readonly string[],
  questions: readonly Question[],
  texts: Texts,
  own: SubmissionTexts,
  checks: CheckTexts,
): GridColumn<Submission>[] {
  return [
    column(
      'submitterDisplayId',
      'SubmitterDisplayId',
      ({ submitterDisplayId: id }) =>
        (id ?? null) === null ? texts.anonymous : <ForeignText isCut>{id!}</ForeignText>,
      {
        group: own.groupSubmitter,
        width: 200,
        isPinned: true,
        isLink: true,
        isSortable: true,
        text: ({ submitterDisplayId: id }) => id ?? '',
      },
    ),
    ...profileFields.map((name) =>
      foreignColumn(`${profilePrefix}${name}`, name, profileOf(name), { group: own.groupSubmitter }),
    ),
    column(
      'status',
      texts.reviewStatus,
      ({ status, isTestSubmission }) => <ReviewStatus status={status} isTest={isTestSubmission} />,
      { group: own.groupSystem, width: 150, isSortable: true, text: ({ status = '' }) => status },
    ),
    column(
      'collectionStatus',
      texts.collectionStatus,
      ({ collectionStatus }) => <CollectionStatus status={collectionStatus} />,
      {
        group: own.groupSystem,
        width: 170,
        isSortable: true,
        text: ({ collectionStatus = '' }) => collectionStatus,
      },
    ),
    column(
      'answerCheck',
      checks.check,
      ({ answerFaults }) =>
        answerFaults?.length ? (
          <Badge tone="warn">{checks.faults(answerFaults.length)}</Badge>
        ) : (
          checks.checks[checkOf(answerFaults)]
        ),
      {
        group: own.groupSystem,
        width: 150,
        isHidden: true,
        text: ({ answerFaults }) => checks.checks[checkOf(answerFaults)],
      },
    ),
    ...questions.map(({ name, title }, index) =>
      foreignColumn<Submission>(answerKey(name), title, ({ texts: given }) => given?.[name], {
        group: own.groupAnswers,
        isHidden: index >= shownAnswers,
      }),
    ),
    ...times.map((key) =>
      timeColumn<Submission>(key, texts[key], (row) => row[key], {
        group: own.groupTimes,
        isSortable: true,
        isHidden: key === 'startedAt' || key === 'modifiedAt',
      }),
    ),
    idColumn('id', 'Id', ({ id }) => id, { group: own.groupSystem, isSortable: true }),
  ];
}

/** Whether answers passed the check of their form, as the filter names it. */
const checkOf = (faults: readonly object[] | null | undefined): keyof CheckTexts['checks'] => {
  if ((faults ?? null) === null) return 'unchecked';
  return faults!.length > 0 ? 'failed' : 'passed';
};

const profileOf =
  (name: string) =>
  ({ submitterProfileSnapshot }: Submission): string => {
    const value = (submitterProfileSnapshot as Record<string, unknown> | null | undefined)?.[name];
    return (value ?? null) === null ? '' : textOf(value);
  };

const answerPrefix = 'answers.';
const profilePrefix = 'profile.';
const answerKey = (name: string): string => `${answerPrefix}${name}`;

/** The members of a list, without answers. */
export const listedFields = `id,submitterDisplayId,submitterProfileSnapshot,status,collectionStatus,isTestSubmission,answerFaults,${times.join()}`;

/** The questions of the shown columns: answers of hidden ones are not read. */
export function shownQuestions(columns: readonly GridColumn<Submission>[], { hidden }: GridLayout): string[] {
  let length = 0;
  return columns
    .filter(({ key, isHidden = false }) => key.startsWith(answerPrefix) && !(hidden[key] ?? isHidden))
    .map(({ key }) => key.slice(answerPrefix.length))
    .slice(0, maxQuestions)
    .filter((name) => (length += encodeURIComponent(name).length + 11) <= maxNamesLength);
}

/** The column of a file for a column of the grid. */
const exportName = (key: string): string =>
  key.startsWith(profilePrefix) ? `submitterProfile.${key.slice(profilePrefix.length)}` : key;

/** The columns of a file: the shown ones, in their order. */
export const exportFields = (columns: readonly GridColumn<Submission>[], layout: GridLayout): string[] =>
  placed(columns, layout)
    .filter(({ isHidden, key }) => !isHidden && key !== 'answerCheck')
    .map(({ key }) => exportName(key));

/** The headings of a file: those of the grid, but for answers. */
export const exportHeadings = (columns: readonly GridColumn<Submission>[]): Record<string, string> =>
  Object.fromEntries(
    columns
      .filter(({ key }) => !key.startsWith(answerPrefix))
      .map(({ key, title }) => [exportName(key), title]),
  );
