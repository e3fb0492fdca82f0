import type { components } from '@canvass/client';
import { Notice, Panel, State } from '@canvass/console-ui';
import { ListBar } from '@canvass/console-ui/grid';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { Answer } from '../answer';
import { get } from '../api';
import { useConfiguration } from '../configuration';
import { FormFrame } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import { useGridTexts } from '../grid-texts';
import lists from '../list.module.css';
import { useListState } from '../list-state';
import { findingBar } from '../record-grid';
import { filterOf } from './filter';
import { QuestionPlot } from './question-plot';
import { useSummaryTexts } from './summary-texts';
import styles from './summary.module.css';
import { useAsked } from './use-asked';
import { useSubmissionFilters } from './use-submission-filters';

type FormSummary = components['schemas']['FormSummary'];

/** What was answered to a form, by question, with the filter of its submissions. */
export default function SummaryPage() {
  return <FormFrame>{(form) => <Summary formId={form.id} definition={form.definition} />}</FormFrame>;
}

function Summary({ formId, definition }: { formId: string; definition: unknown }) {
  const texts = useFormTexts();
  const { language } = usePreferences();
  const { submitterPrimaryFilterLabel } = useConfiguration();
  const all = useTexts();
  const list = useListState();
  const asked = useAsked(definition, list.filters('where'));
  const finding = useSubmissionFilters(list, asked, submitterPrimaryFilterLabel ?? all.filterByDisplayId);
  const { tools } = useGridTexts();
  const query = {
    ...filterOf(list, asked),
    ...(list.filter('deleted') === 'true' && { deleted: true }),
    locale: language,
  };
  const summary = useQuery({
    queryKey: ['form summary', formId, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get('/api/forms/{formId}/summary', { path: { formId }, query }, signal),
  });
  return (
    <Panel title={texts.tabSummary} busy={summary.isFetching}>
      <ListBar {...findingBar(finding)} label={tools} />
      <Answer query={summary} operation="getFormSummary">
        {(data) => <Questions formId={formId} summary={data} />}
      </Answer>
    </Panel>
  );
}

/** Questions that are drawn at once, so that a long form does not block the page. */
const step = 10;

function Questions({ formId, summary }: { formId: string; summary: FormSummary }) {
  const texts = useSummaryTexts();
  const { number } = useFormats();
  const [search] = useSearchParams();
  const { questions, counted, sampledFrom, hasListLabels, questionsLeftOut } = summary;
  const shown = useGrowing(questions.length);
  return (
    <>
      <p className={lists.note} role="status">
        {sampledFrom === null
          ? texts.counted(number(counted))
          : texts.sampled(number(counted), number(sampledFrom))}
      </p>
      {!hasListLabels && <Notice tone="warn">{texts.noListLabels}</Notice>}
      {questions.length === 0 && <State title={texts.noQuestions}>{null}</State>}
      <div className={styles.questions}>
        {questions.slice(0, shown).map((question) => (
          <QuestionPlot
            key={`${question.name}\n${question.row?.value ?? ''}`}
            formId={formId}
            question={question}
            search={search}
          />
        ))}
      </div>
      {questionsLeftOut > 0 && <p className={lists.note}>{texts.leftOut(number(questionsLeftOut))}</p>}
    </>
  );
}

/** A number that grows to `count` in steps, one after each paint. */
function useGrowing(count: number): number {
  const [shown, setShown] = useState(step);
  useEffect(() => {
    if (shown >= count) return;
    const timer = setTimeout(() => setShown(shown + step));
    return () => clearTimeout(timer);
  }, [shown, count]);
  return Math.min(shown, count);
}
