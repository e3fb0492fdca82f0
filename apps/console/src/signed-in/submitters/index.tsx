import type { components } from '@canvass/client';
import { ForeignText } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { consolePath } from '../../base';
import { useTexts } from '../../i18n';
import { api, dataOf } from '../api';
import { useConfiguration } from '../configuration';
import { useKeptLayout } from '../kept-layouts';
import { useKeyRows } from '../key-rows';
import { useListState } from '../list-state';
import { Moment } from '../moment';
import { Page } from '../page';
import { RecordGrid } from '../record-grid';
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
  const { submitterGridProfileFields: fields, submitterPrimaryFilterLabel } = useConfiguration();
  const [layout, setLayout] = useKeptLayout('submitters');
  const submitters = useKeyRows<Submitter>({
    queryKey: ['submitters', search],
    isFresh: true,
    read: (place, signal) =>
      dataOf(
        api.GET('/api/submitters', { params: { query: { ...place, ...(search && { search }) } }, signal }),
      ),
  });
  // Two people may have one name: the address of a profile, if it has one, is always shown.
  const shown = [...new Set([...fields, ...(submitters.rows.rows.some(hasEmail) ? ['email'] : [])])];
  const columns: GridColumn<Submitter>[] = [
    {
      key: 'displayId',
      title: texts.displayId,
      isLink: true,
      cell: ({ displayId }) => <ForeignText isCut>{displayId}</ForeignText>,
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
      <RecordGrid
        isTable
        search={list.searchBox(texts.findPerson, submitterPrimaryFilterLabel ?? texts.findPersonBy)}
        list={submitters}
        operation="listSubmitters"
        label={texts.allSubmitters}
        columns={columns}
        layout={layout}
        setLayout={setLayout}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${consolePath}/submitters/${id}`}
        nothing={{ title: texts.noSubmitters, hint: texts.noSubmittersHint }}
      />
    </Page>
  );
}
