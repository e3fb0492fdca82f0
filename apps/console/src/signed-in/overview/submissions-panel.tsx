import { Panel, TimePlot, type PlotSeries } from '@canvass/console-ui';
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

interface NumbersProps {
  /** Undefined if they cannot be read. */
  forms: NewestForms | undefined;
  range: Range;
  zoom(from: string, to: string): void;
}

/** Submissions of all forms in the range: how many, and when. */
export function SubmissionsPanel({ forms, range, zoom }: NumbersProps) {
  const { submissions: title } = useTexts();
  const texts = useOverviewTexts();
  const { number } = useFormats();
  const numbers = useSubmissionNumbers(range);
  const plotTexts = usePlotTexts(numbers.data?.bucket);
  const href = may(useMe(), 'listForms') ? '/forms' : undefined;
  const names = [texts.started, texts.completed, texts.screenedOut];
  const skeleton = (
    <>
      <FiguresSkeleton names={names} />
      <TimePlot
        label={texts.submissionsOverTime}
        sentence=""
        buckets={[]}
        series={names.map((name) => ({ name, values: [] }))}
        texts={plotTexts}
      />
    </>
  );
  return (
    <Panel title={title} busy={numbers.isFetching}>
      <Answer query={numbers} operation="getSubmissionOverview" skeleton={skeleton}>
        {({ total, buckets }) => {
          const top = buckets.reduce((most, own) => (own.started > most.started ? own : most), buckets[0]!);
          const series: PlotSeries[] = [
            { name: texts.started, tone: 'soft', isBehind: true, values: buckets.map((own) => own.started) },
            { name: texts.completed, tone: 'good', values: buckets.map((own) => own.completed) },
            { name: texts.screenedOut, tone: 'warn', values: buckets.map((own) => own.screenedOut) },
          ];
          return (
            <>
              <Figures
                figures={[
                  { name: texts.started, value: number(total.started), href },
                  { name: texts.completed, value: number(total.completed), href },
                  { name: texts.screenedOut, value: number(total.screenedOut), href },
                ]}
              />
              {forms && <AnsweredForms forms={forms} range={range} />}
              {top.started > 0 && (
                <TimePlot
                  label={texts.submissionsOverTime}
                  sentence={[
                    texts.submissionsSentence(number(total.started), number(total.completed)),
                    texts.mostAt(plotTexts.formatTime(top.start), number(top.started)),
                  ].join(' ')}
                  buckets={buckets.map(({ start }) => start)}
                  series={series}
                  texts={plotTexts}
                  choose={zoom}
                />
              )}
            </>
          );
        }}
      </Answer>
    </Panel>
  );
}
