import type { components } from '@canvass/client';
import { ForeignText, Panel, Table, type Column } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { useConfiguration } from '../configuration';
import { FilterBox, Nothing, Pager } from '../list-parts';
import { pageSize, useListState } from '../list-state';
import { Moment } from '../moment';
import { Page } from '../page';
import { textOf } from './profile';
import { useSubmitterTexts } from './texts';

type Submitter = components['schemas']['Submitter'];

const hasEmail = ({ profile }: Submitter) => 'email' in profile;

/** The respondents of the tenant who are known by an identity. */
export default function SubmittersPage() {
  const common = useTexts();
  const texts = useSubmitterTexts();
  const list = useListState();
  const search = list.filter('search');
  const query = { limit: pageSize, total: 'exact' as const, ...list.place, ...(search && { search }) };
  const { submitterGridProfileFields: fields, submitterPrimaryFilterLabel } = useConfiguration();
  const submitters = useQuery({
    queryKey: ['submitters', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => dataOf(api.GET('/api/submitters', { params: { query }, signal })),
  });
  // Two people may have one name: the address of a profile, if it has one, is always shown.
  const shown = [...new Set([...fields, ...(submitters.data?.items.some(hasEmail) ? ['email'] : [])])];
  const columns: Column<Submitter>[] = [
    {
      key: 'displayId',
      title: texts.displayId,
      cell: ({ id, displayId }) => (
        <Link href={`/submitters/${id}`}>
          <ForeignText isCut>{displayId}</ForeignText>
        </Link>
      ),
    },
    {
      key: 'subject',
      title: texts.subject,
      cell: ({ externalSubjectId }) => <ForeignText isCut>{externalSubjectId}</ForeignText>,
    },
    ...shown.map((name) => ({
      key: `profile.${name}`,
      title: name,
      cell: ({ profile }: Submitter) => (
        <ForeignText isCut>{textOf((profile as Record<string, unknown>)[name])}</ForeignText>
      ),
    })),
    {
      key: 'provider',
      title: texts.provider,
      cell: ({ authProvider }) => <ForeignText isCut>{authProvider}</ForeignText>,
    },
    { key: 'created', title: texts.firstSeen, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { key: 'modified', title: common.modifiedAt, cell: ({ modifiedAt }) => <Moment at={modifiedAt} /> },
  ];
  return (
    <Page title={common.submitters}>
      <Panel
        title={texts.allSubmitters}
        busy={submitters.isFetching}
        tools={
          <FilterBox
            label={texts.findPerson}
            placeholder={submitterPrimaryFilterLabel ?? texts.findPersonBy}
            value={search}
            setValue={(value) => list.setFilters({ search: value })}
          />
        }
      >
        <Answer query={submitters} operation="listSubmitters">
          {(page) =>
            page.items.length === 0 ? (
              <Nothing
                isFiltered={search !== ''}
                clear={() => list.setFilters({ search: '' })}
                title={texts.noSubmitters}
                hint={texts.noSubmittersHint}
              />
            ) : (
              <>
                <Table
                  label={texts.allSubmitters}
                  columns={columns}
                  rows={page.items}
                  keyOf={({ id }) => id}
                />
                <Pager page={page} goTo={list.goTo} />
              </>
            )
          }
        </Answer>
      </Panel>
    </Page>
  );
}
