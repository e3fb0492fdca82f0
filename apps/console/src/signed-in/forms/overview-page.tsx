import { Button, buttonClass, Panel, State, TimePlot, type PlotSeries } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { Answer } from '../answer';
import { get } from '../api';
import { FormFrame, type Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { regional, useFormats } from '../formats';
import { useListState } from '../list-state';
import listStyles from '../list.module.css';
import { may, useMe } from '../me';
import { Figures, type Figure } from '../overview/figures';
import { pageAddress } from '../page-address';
import { useCheckTexts } from '../submissions/check-texts';
import { dayBefore } from '../zoned-time';
import { Openness, PageAddress } from './page-for-respondents';
import { useShareTexts } from './share-texts';
import { useCount } from './use-count';

/** Days of the ranges. The API permits at most 366. */
const ranges = ['7', '30', '90', '365'] as const;
/** Answers that broke a rule of the form. */
const failedFilter = 'answerCheck:failed';

/** How many answers a form has, when they came, and where its page is. */
export default function OverviewPage() {
  return <FormFrame>{(form) => <Overview key={form.id} form={form} />}</FormFrame>;
}

function Overview({ form }: { form: Form }) {
  const { pageOfForm } = useShareTexts();
  const mayCount = may(useMe(), 'getSubmissionStats');
  return (
    <div className={listStyles.columns}>
      {mayCount && <Numbers formId={form.id} />}
      <Panel title={pageOfForm}>
        <div className={listStyles.work}>
          <Openness form={form} />
          <PageAddress address={pageAddress(form)} />
        </div>
      </Panel>
    </div>
  );
}

function Numbers({ formId }: { formId: string }) {
  const texts = useFormTexts();
  const all = useTexts();
  const { checks } = useCheckTexts();
  const { language, zone } = usePreferences();
  const { number } = useFormats();
  const list = useListState();
  const days = ranges.find((own) => own === list.filter('days')) ?? '7';
  const timeZone = zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const stats = useQuery({
    queryKey: ['form stats', formId, days, timeZone],
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    queryFn: ({ signal }) => {
      // Whole days of the zone, with today.
      const query = { timeZone, from: dayBefore(Number(days) - 1, zone, Date.now()) };
      return get('/api/forms/{formId}/stats', { path: { formId }, query }, signal);
    },
  });
  // A date has no time: it is shown in the zone in which it is written.
  const dates = new Intl.DateTimeFormat(regional(language), {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const formatDate = (at: string) => dates.format(new Date(at));
  const count = useCount(formId);
  const failed = useCount(formId, [failedFilter]);
  const tools = (
    <div className={listStyles.row} role="group" aria-label={texts.range}>
      {ranges.map((own) => (
        <Button
          key={own}
          look="quiet"
          aria-pressed={own === days}
          onClick={() => list.setFilters({ days: own === '7' ? '' : own })}
        >
          {texts.days(own)}
        </Button>
      ))}
    </div>
  );
  return (
    <Panel title={all.answers} busy={stats.isFetching} tools={tools}>
      <Answer query={stats} operation="getSubmissionStats">
        {({ total, byStatus, byDay, from, to }) => {
          if (count.data?.total === 0) return <NoAnswers formId={formId} />;
          const figure = (name: string, value: number, query: Record<string, string> = {}): Figure => ({
            name,
            value: number(value),
            href: `/forms/${formId}/submissions?${new URLSearchParams(query)}`,
          });
          const series: PlotSeries[] = [
            { name: texts.total, tone: 'soft', isBehind: true, values: byDay.map((own) => own.total) },
            {
              name: all.collectionStatuses.complete,
              tone: 'good',
              values: byDay.map((own) => own.byStatus.complete),
            },
          ];
          const top = byDay.reduce((most, own) => (own.total > most.total ? own : most), byDay[0]!);
          return (
            <>
              <Figures
                figures={[
                  // Its place is there before its number: the figures fill a second row.
                  { ...figure(texts.inAll, 0), value: count.data ? number(count.data.total) : '–' },
                  figure(texts.lastDays(days), total, { from, to }),
                  ...Object.entries(all.collectionStatuses).map(([collection, name]) =>
                    figure(name, byStatus[collection as keyof typeof byStatus], { from, to, collection }),
                  ),
                  ...(failed.data?.total
                    ? [{ ...figure(checks.failed, failed.data.total, { where: failedFilter }), isBad: true }]
                    : []),
                ]}
              />
              {total > 0 && (
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
                  series={series}
                  texts={{
                    time: texts.time,
                    asTable: texts.asTable,
                    keys: texts.plotKeys,
                    formatTime: formatDate,
                    formatValue: (value) => number(value),
                  }}
                />
              )}
            </>
          );
        }}
      </Answer>
    </Panel>
  );
}

/** Shows where answers come from, before there are any. */
function NoAnswers({ formId }: { formId: string }) {
  const { noSubmissions, noSubmissionsHint } = useTexts();
  const { shareForm } = useFormTexts();
  const share = (
    <Link className={buttonClass} href={`/forms/${formId}/share`}>
      {shareForm}
    </Link>
  );
  return (
    <State title={noSubmissions} actions={share}>
      {noSubmissionsHint}
    </State>
  );
}
