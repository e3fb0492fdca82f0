import type { components } from '@canvass/client';
import { Badge, ForeignText, Panel, Table, type Column } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { useTexts, type Texts } from '../i18n';
import { Answer } from './answer';
import { api, dataOf } from './api';
import { FilterBox, Nothing, Pager } from './list-parts';
import { pageSize, useListState } from './list-state';
import styles from './list.module.css';
import { Moment } from './moment';
import { Page } from './page';
import { CollectionStatus, ReviewStatus } from './submission-status';

type Submission = components['schemas']['SubmissionFields'];
type SubmissionPage = components['schemas']['SubmissionFieldsPage'];

const fields =
  'id,submitterDisplayId,submitterProfileSnapshot,status,collectionStatus,isTestSubmission,createdAt,completedAt';

/** The submissions of a form. Which profile fields are columns is configured. */
export function SubmissionsPage() {
  const texts = useTexts();
  const { formId = '' } = useParams();
  const list = useListState();
  const search = list.filter('search');
  const query = {
    limit: pageSize,
    total: 'estimated' as const,
    fields,
    ...list.place,
    ...(search && { search }),
  };
  const params = { path: { formId } };
  const form = useQuery({
    queryKey: ['form', formId],
    queryFn: ({ signal }) => dataOf(api.GET('/api/forms/{formId}', { params, signal })),
  });
  const configuration = useQuery({
    queryKey: ['configuration'],
    staleTime: Infinity,
    queryFn: ({ signal }) => dataOf(api.GET('/api/console/configuration', { signal })),
  });
  const submissions = useQuery({
    queryKey: ['submissions', formId, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/forms/{formId}/submissions', { params: { path: { formId }, query }, signal }),
      ) as Promise<SubmissionPage>,
  });
  const profileFields = configuration.data?.submitterGridProfileFields ?? [];
  return (
    <Page title={form.data?.name ?? texts.submissions} lead={texts.submissions}>
      <Panel
        title={texts.submissions}
        busy={submissions.isFetching}
        tools={
          <FilterBox
            label={texts.filterByDisplayId}
            placeholder={configuration.data?.submitterPrimaryFilterLabel ?? texts.filterByDisplayId}
            value={search}
            setValue={(value) => list.setFilters({ search: value })}
          />
        }
      >
        {/* The columns are known before the rows are shown, so that nothing moves. */}
        <Answer query={configuration} operation="getConsoleConfiguration">
          {() => (
            <Answer query={submissions} operation="listSubmissions">
              {(page) =>
                page.items.length === 0 ? (
                  <Nothing
                    isFiltered={search !== ''}
                    clear={() => list.setFilters({ search: '' })}
                    title={texts.noSubmissions}
                    hint={texts.noSubmissionsHint}
                  />
                ) : (
                  <>
                    <Table
                      label={texts.submissions}
                      columns={columnsOf(formId, profileFields, texts)}
                      rows={page.items}
                      keyOf={({ id }) => id!}
                    />
                    <Pager page={page} goTo={list.goTo} />
                  </>
                )
              }
            </Answer>
          )}
        </Answer>
      </Panel>
    </Page>
  );
}

function columnsOf(formId: string, profileFields: readonly string[], texts: Texts): Column<Submission>[] {
  return [
    {
      key: 'displayId',
      title: 'SubmitterDisplayId',
      cell: ({ id, submitterDisplayId }) => (
        <Link href={`/forms/${formId}/submissions/${id}`}>
          {(submitterDisplayId ?? null) === null ? (
            texts.anonymous
          ) : (
            <ForeignText isCut>{submitterDisplayId!}</ForeignText>
          )}
        </Link>
      ),
    },
    ...profileFields.map((name) => ({
      key: `profile.${name}`,
      title: name,
      cell: ({ submitterProfileSnapshot }: Submission) => {
        const value = (submitterProfileSnapshot as Record<string, unknown> | null | undefined)?.[name];
        return (value ?? null) === null ? '–' : <ForeignText isCut>{textOf(value)}</ForeignText>;
      },
    })),
    {
      key: 'status',
      title: texts.reviewStatus,
      cell: ({ status, isTestSubmission }) => (
        <span className={styles.badges}>
          <ReviewStatus status={status} />
          {isTestSubmission === true && <Badge tone="warn">{texts.test}</Badge>}
        </span>
      ),
    },
    {
      key: 'collectionStatus',
      title: texts.collectionStatus,
      cell: ({ collectionStatus }) => <CollectionStatus status={collectionStatus} />,
    },
    { key: 'created', title: texts.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { key: 'completed', title: texts.completedAt, cell: ({ completedAt }) => <Moment at={completedAt} /> },
  ];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
