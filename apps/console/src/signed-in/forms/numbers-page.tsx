import { Button, Panel, TimePlot } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { Facts } from '../facts';
import { FormFrame } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { regional, useFormats } from '../formats';
import { useListState } from '../list-state';
import styles from './forms.module.css';

/** Days of the ranges. The API permits at most 366. */
const ranges = ['7', '30', '90', '365'] as const;
const day = 24 * 60 * 60 * 1000;

/** Submissions of a form by state and by day. */
export default function NumbersPage() {
  return <FormFrame>{(form) => <Numbers formId={form.id} />}</FormFrame>;
}

function Numbers({ formId }: { formId: string }) {
  const texts = useFormTexts();
  const all = useTexts();
  const { language, zone } = usePreferences();
  const { number } = useFormats();
  const list = useListState();
  const days = ranges.find((own) => own === list.filter('days')) ?? '30';
  const timeZone = zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const stats = useQuery({
    queryKey: ['form stats', formId, days, timeZone],
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    queryFn: ({ signal }) => {
      // 30 days are the default of the API: whole days of the zone. Others begin at this time of a day.
      const from = new Date(Date.now() - Number(days) * day).toISOString();
      const query = { timeZone, ...(days !== '30' && { from }) };
      return dataOf(api.GET('/api/forms/{formId}/stats', { params: { path: { formId }, query }, signal }));
    },
  });
  // A date has no time: it is shown in the zone in which it is written.
  const dates = new Intl.DateTimeFormat(regional(language), {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const formatDate = (at: string) => dates.format(new Date(at));
  const tools = (
    <div className={styles.bar} role="group" aria-label={texts.range}>
      {ranges.map((own) => (
        <Button
          key={own}
          look="quiet"
          aria-pressed={own === days}
          onClick={() => list.setFilters({ days: own === '30' ? '' : own })}
        >
          {texts.days(own)}
        </Button>
      ))}
    </div>
  );
  return (
    <Panel title={texts.tabNumbers} busy={stats.isFetching} tools={tools}>
      <Answer query={stats} operation="getSubmissionStats">
        {({ total, byStatus, byDay, from, to }) => {
          // To the submissions behind the number.
          const linked = (value: number, collection: string) => {
            const query = new URLSearchParams({ from, to, ...(collection && { collection }) });
            return <Link href={`/forms/${formId}/submissions?${query}`}>{number(value)}</Link>;
          };
          const top = byDay.reduce((most, own) => (own.total > most.total ? own : most), byDay[0]!);
          return (
            <>
              <Facts
                facts={[
                  [texts.total, linked(total, '')],
                  [all.collectionNotStarted, linked(byStatus.not_started, 'not_started')],
                  [all.collectionInProgress, linked(byStatus.in_progress, 'in_progress')],
                  [all.collectionComplete, linked(byStatus.complete, 'complete')],
                  [all.collectionScreenedOut, linked(byStatus.screen_out, 'screen_out')],
                ]}
              />
              <TimePlot
                label={texts.perDay}
                sentence={[
                  texts.sentence(number(total), number(byStatus.complete)),
                  top.total > 0 && texts.mostOn(formatDate(top.date), number(top.total)),
                  texts.zone(timeZone),
                ]
                  .filter(Boolean)
                  .join(' ')}
                buckets={byDay.map(({ date }) => `${date}T00:00:00.000Z`)}
                series={[
                  { name: texts.total, values: byDay.map((own) => own.total) },
                  {
                    name: all.collectionComplete,
                    tone: 'good',
                    values: byDay.map((own) => own.byStatus.complete),
                  },
                ]}
                texts={{
                  time: texts.time,
                  asTable: texts.asTable,
                  keys: texts.plotKeys,
                  formatTime: formatDate,
                  formatValue: (value) => number(value),
                }}
              />
            </>
          );
        }}
      </Answer>
    </Panel>
  );
}
