import type { components } from '@canvass/client';
import { Notice } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useTexts } from '../../i18n';
import { get } from '../api';
import { Author } from '../author';
import { column, foreignColumn, numberColumn, timeColumn } from '../columns';
import { useFormats } from '../formats';
import { JobState } from '../job-state';
import { useJobTexts } from '../job-texts';
import { useKeyRows } from '../key-rows';
import { useListState } from '../list-state';
import { Page } from '../page';
import { usePlainFilters } from '../plain-filters';
import { RecordGrid } from '../record-grid';

type Job = components['schemas']['AreaJob'];

/** The long jobs of all services: what runs, and how the others ended. */
export default function JobsPage() {
  const { jobs: title } = useTexts();
  const texts = useJobTexts();
  const { number } = useFormats();
  const list = useListState();
  const [state, kind] = [list.filter('state'), list.filter('kind')];
  const filter = { ...(state && { state }), ...(kind && { kind }) };
  const jobs = useKeyRows<Job>({
    queryKey: ['jobs', filter],
    refetchInterval: 5_000,
    isFresh: true,
    read: (place, signal) => get('/api/jobs', { query: { ...(filter as object), ...place } }, signal),
  });
  const filters = usePlainFilters(list, [
    { name: 'state', title: texts.state, kind: 'one', choices: texts.states },
    { name: 'kind', title: texts.kind, kind: 'one', choices: texts.kinds },
  ]);
  const columns: GridColumn<Job>[] = [
    column('kind', texts.kind, ({ kind }) => texts.kinds[kind] ?? kind, { isLink: true }),
    column('state', texts.state, (job) => <JobState {...job} />),
    numberColumn('progress', texts.progress, ({ done, total }) => texts.doneOf(number(done), number(total))),
    column('startedBy', texts.startedBy, (job) => <Author of={job.startedBy} />),
    foreignColumn('reason', texts.reason, ({ reason }) => reason),
    timeColumn('createdAt', texts.started, ({ createdAt }) => createdAt),
    timeColumn('finishedAt', texts.finished, ({ finishedAt }) => finishedAt),
  ];
  const isPartial = jobs.query.data?.pages.some(({ unavailable = [] }) => unavailable.length > 0) === true;
  return (
    <Page title={title}>
      {isPartial && <Notice tone="warn">{texts.unavailable}</Notice>}
      <RecordGrid
        screen="jobs"
        isTable
        filters={filters}
        list={jobs}
        operation="listJobs"
        label={title}
        columns={columns}
        nothing={{ title: texts.noJobs, hint: texts.noJobsHint }}
      />
    </Page>
  );
}
