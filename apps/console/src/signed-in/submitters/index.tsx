import type { components } from '@canvass/client';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useTexts } from '../../i18n';
import { get } from '../api';
import { column, foreignColumn, timeColumn } from '../columns';
import { useConfiguration } from '../configuration';
import { useKeyRows } from '../key-rows';
import { useKindTexts } from '../kind-texts';
import { useListState } from '../list-state';
import { Page } from '../page';
import { RecordGrid } from '../record-grid';
import { textOf } from './profile';
import { Subject } from './subject';
import { useSubmitterTexts } from './texts';

type Submitter = components['schemas']['Submitter'];

const profileOf =
  (name: string) =>
  ({ profile }: Submitter): string =>
    textOf((profile as Record<string, unknown>)[name]);
const hasEmail = ({ profile }: Submitter) => 'email' in profile;

/** The respondents of the tenant who are known by an identity. */
export default function SubmittersPage() {
  const common = useTexts();
  const texts = useSubmitterTexts();
  const { providers } = useKindTexts();
  const list = useListState();
  const search = list.filter('search');
  const { submitterGridProfileFields: fields, submitterPrimaryFilterLabel } = useConfiguration();
  const submitters = useKeyRows<Submitter>({
    queryKey: ['submitters', search],
    isFresh: true,
    read: (place, signal) =>
      get('/api/submitters', { query: { ...place, ...(search && { search }) } }, signal),
  });
  // Two people may have one name: the address of a profile, if it has one, is always shown.
  const shown = [...new Set([...fields, ...(submitters.rows.rows.some(hasEmail) ? ['email'] : [])])];
  const columns: GridColumn<Submitter>[] = [
    foreignColumn('displayId', texts.displayId, ({ displayId }) => displayId, { isLink: true }),
    column('subject', texts.subject, (submitter) => <Subject of={submitter} />),
    ...shown.map((name) => foreignColumn(`profile.${name}`, name, profileOf(name))),
    foreignColumn('provider', texts.provider, ({ authProvider }) => providers[authProvider] ?? authProvider),
    timeColumn('created', texts.firstSeen, ({ createdAt }) => createdAt),
    timeColumn('modified', common.modifiedAt, ({ modifiedAt }) => modifiedAt),
  ];
  return (
    <Page title={common.submitters}>
      <RecordGrid
        screen="submitters"
        isTable
        search={list.searchBox(texts.findPerson, submitterPrimaryFilterLabel ?? texts.findPersonBy)}
        list={submitters}
        operation="listSubmitters"
        label={texts.allSubmitters}
        columns={columns}
        nothing={{ title: texts.noSubmitters, hint: texts.noSubmittersHint }}
      />
    </Page>
  );
}
