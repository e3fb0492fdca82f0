import type { components } from '@canvass/client';
import { ForeignText, Notice, Panel, Table, type Column } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { Author } from '../author';
import { FilterBar, OneOf } from '../filters';
import { useFormats } from '../formats';
import { JobState } from '../job-state';
import { useJobTexts } from '../job-texts';
import { Nothing, Pager } from '../list-parts';
import { useListState } from '../list-state';
import { Moment } from '../moment';
import { Page } from '../page';

type Job = components['schemas']['AreaJob'];

/** The long jobs of all services: what runs, and how the others ended. */
export default function JobsPage() {
  const { jobs: title } = useTexts();
  const texts = useJobTexts();
  const list = useListState();
  const [state, kind] = [list.filter('state'), list.filter('kind')];
  const query = { ...(state && { state }), ...(kind && { kind }), limit: 50, ...list.place };
  const jobs = useQuery({
    queryKey: ['jobs', query],
    refetchInterval: 5_000,
    queryFn: ({ signal }) => dataOf(api.GET('/api/jobs', { params: { query: query as object }, signal })),
  });
  const isFiltered = state !== '' || kind !== '';
  return (
    <Page title={title}>
      <Panel title={title} busy={jobs.isFetching}>
        <FilterBar clear={isFiltered ? list.clear : null}>
          <OneOf
            title={texts.state}
            choices={{ '': texts.anyState, ...texts.states }}
            value={state}
            setValue={(value) => list.setFilters({ state: value })}
          />
          <OneOf
            title={texts.kind}
            choices={{ '': texts.anyKind, ...texts.kinds }}
            value={kind}
            setValue={(value) => list.setFilters({ kind: value })}
          />
        </FilterBar>
        <Answer query={jobs} operation="listJobs">
          {(page) => (
            <>
              {page.unavailable.length > 0 && <Notice tone="warn">{texts.unavailable}</Notice>}
              {page.items.length === 0 ? (
                <Nothing
                  isFiltered={isFiltered}
                  clear={list.clear}
                  title={texts.noJobs}
                  hint={texts.noJobsHint}
                />
              ) : (
                <>
                  <JobTable label={title} jobs={page.items} />
                  <Pager page={page} goTo={list.goTo} />
                </>
              )}
            </>
          )}
        </Answer>
      </Panel>
    </Page>
  );
}

function JobTable({ label, jobs }: { label: string; jobs: readonly Job[] }) {
  const texts = useJobTexts();
  const { number } = useFormats();
  const columns: Column<Job>[] = [
    {
      key: 'kind',
      title: texts.kind,
      cell: ({ id, kind }) => <Link href={`/jobs/${id}`}>{texts.kinds[kind] ?? kind}</Link>,
    },
    { key: 'state', title: texts.state, cell: ({ state }) => <JobState state={state} /> },
    {
      key: 'progress',
      title: texts.progress,
      isNumber: true,
      cell: ({ done, total }) => texts.doneOf(number(done), number(total)),
    },
    {
      key: 'startedBy',
      title: texts.startedBy,
      cell: (job) => <Author of={job.startedBy} />,
    },
    {
      key: 'reason',
      title: texts.reason,
      cell: ({ reason }) => (reason === null ? '–' : <ForeignText isCut>{reason}</ForeignText>),
    },
    { key: 'createdAt', title: texts.started, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { key: 'finishedAt', title: texts.finished, cell: ({ finishedAt }) => <Moment at={finishedAt} /> },
  ];
  return <Table label={label} columns={columns} rows={jobs} keyOf={({ id }) => id} />;
}
