import { ForeignText, Spark, Table, type Column } from '@canvass/console-ui';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { column, numberColumn, timeColumn } from '../columns';
import { useFormats } from '../formats';
import type { Range } from '../range';
import { useAnsweredForms, type NewestForms } from './forms';
import styles from './overview.module.css';
import { useOverviewTexts } from './texts';

type Answered = ReturnType<typeof useAnsweredForms>[number];

/** The forms that were answered last: how much in the range, and when. */
export function AnsweredForms({ forms, range }: { forms: NewestForms; range: Range }) {
  const all = useTexts();
  const texts = useOverviewTexts();
  const { number } = useFormats();
  const rows = useAnsweredForms(forms, range);
  const columns: Column<Answered>[] = [
    column('form', all.form, ({ id, name = '' }) => (
      <Link href={`/forms/${id}/submissions`}>
        <ForeignText isCut>{name}</ForeignText>
      </Link>
    )),
    numberColumn('answers', texts.started, ({ stats }) => (stats === undefined ? '–' : number(stats.total))),
    column('days', texts.byDay, ({ name, stats }) => (
      <span className={styles.spark}>
        {stats !== undefined && stats.total > 0 && (
          <Spark
            label={texts.dailyOf(name!, number(stats.total))}
            series={[{ name: texts.started, values: stats.byDay.map(({ total }) => total) }]}
          />
        )}
      </span>
    )),
    timeColumn('last', all.lastSubmission, ({ lastSubmissionAt }) => lastSubmissionAt),
  ];
  if (rows.length === 0) return null;
  return (
    <div className={styles.byForm}>
      <Table label={texts.byForm} columns={columns} rows={rows} keyOf={({ id }) => id!} />
    </div>
  );
}
