import {
  answerColumnsOf,
  answersPrefix,
  columnNames,
  columnTitles,
  type AnswerColumns,
} from '../answer-texts';

/** What the columns of an export are, and the values that may stand there. */
export const codebookHeader = ['column', 'title', 'type', 'dataList', 'value', 'label'];

/** Lines of a codebook: a table of many rows, columns and choices has all of them in each. */
const maxLines = 100_000;

/** The lines of a codebook: one for each column, or for each value of a column. */
export function* codebookOf(definition: unknown, locale: string): Generator<string[]> {
  let count = 0;
  for (const answer of answerColumnsOf(definition, locale)) {
    const names = columnNames(answer);
    const titles = columnTitles(answer);
    for (const [n, name] of names.entries()) {
      const { labels, values, list } = columnAt(answer, n).kind;
      const column = [answersPrefix + name, titles[n]!, answer.type, list];
      for (const value of values.length > 0 ? values : ['']) {
        if (count++ === maxLines) return;
        yield [...column, value, labels.get(value) ?? value];
      }
    }
  }
}

/** The column of a name: names go through all columns of a row before the next row. */
const columnAt = ({ columns }: AnswerColumns, n: number) => columns[n % columns.length]!;
