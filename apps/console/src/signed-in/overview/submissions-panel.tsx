import type { components } from '@canvass/client';
import { Panel, TimePlot } from '@canvass/console-ui';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { useFormats } from '../formats';
import { may, useMe } from '../me';
import { AnsweredForms } from './answered-forms';
import { Figures, FiguresSkeleton } from './figures';
import type { NewestForms } from './forms';
import { usePlotTexts } from '../plot-texts';
import { useSubmissionNumbers } from './queries';
import type { Range } from '../range';
import { useOverviewTexts } from './texts';

type Numbers = components['schemas']['SubmissionOverview'];

interface NumbersProps {
  /** Undefined if they cannot be read. */
  forms: NewestForms | undefined;
  range: Range;
  zoom(from: string, to: string): void;
}

const parts = ['started', 'completed', 'screenedOut'] as const;

/** Submissions of all forms in the range: how many, and when. */
export function SubmissionsPanel({ forms, range, zoom }: NumbersProps) {
  const { submissions: title } = useTexts();
  const texts = useOverviewTexts();
  const { number } = useFormats();
  const numbers = useSubmissionNumbers(range);
  const href = may(useMe(), 'listForms') ? '/forms' : undefined;
  const byForm = forms && <AnsweredForms forms={forms} range={range} />;
  const skeleton = (
    <>
      <FiguresSkeleton names={parts.map((part) => texts[part])} />
      {byForm}
      <SubmissionsPlot />
    </>
  );
  return (
    <Panel title={title} busy={numbers.isFetching}>
      <Answer query={numbers} operation="getSubmissionOverview" skeleton={skeleton}>
        {(data) => (
          <>
            <Figures
              figures={parts.map((part) => ({ name: texts[part], value: number(data.total[part]), href }))}
            />
            {byForm}
            {data.buckets.some(({ started }) => started > 0) && (
              <SubmissionsPlot numbers={data} zoom={zoom} />
            )}
          </>
        )}
      </Answer>
    </Panel>
  );
}

/** Without numbers it is the place of the plot. */
function SubmissionsPlot({ numbers, zoom }: { numbers?: Numbers; zoom?: NumbersProps['zoom'] }) {
  const texts = useOverviewTexts();
  const { number } = useFormats();
  const plotTexts = usePlotTexts(numbers?.bucket);
  const { total, buckets = [] } = numbers ?? {};
  const top = buckets.reduce((most, own) => (own.started > most.started ? own : most), buckets[0]!);
  const sentence = total && [
    texts.submissionsSentence(number(total.started), number(total.completed)),
    texts.mostAt(plotTexts.formatTime(top.start), number(top.started)),
  ];
  return (
    <TimePlot
      label={texts.submissionsOverTime}
      sentence={sentence?.join(' ') ?? ''}
      buckets={buckets.map(({ start }) => start)}
      series={[
        { name: texts.started, tone: 'soft', isBehind: true, values: buckets.map((own) => own.started) },
        { name: texts.completed, tone: 'good', values: buckets.map((own) => own.completed) },
        { name: texts.screenedOut, tone: 'warn', values: buckets.map((own) => own.screenedOut) },
      ]}
      texts={plotTexts}
      {...(zoom && { choose: zoom })}
    />
  );
}
