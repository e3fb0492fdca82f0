import { ForeignText, Icon, type IconName } from '@canvass/console-ui';
import { useKindTexts } from './kind-texts';
import { useNames } from './use-names';

/** The icons of kinds of records that have a page. */
const icons: Readonly<Partial<Record<string, IconName>>> = {
  form: 'forms',
  submission: 'submission',
  submitter: 'submitters',
  data_list: 'dataLists',
  user: 'users',
  service_account: 'serviceAccounts',
  webhook_delivery: 'deliveries',
  webhook_endpoint: 'endpoints',
  webhook_recovery: 'recoveries',
  job: 'jobs',
};

/** The name of a record; its kind, if it has none, and that it is deleted, if it is. */
export function RecordName({ kind, id }: { kind: string; id: string | null }) {
  const texts = useKindTexts();
  const { data: known } = useNames(kind);
  const word = texts.kinds[kind] ?? kind;
  const name = id === null ? undefined : known?.names.get(id);
  const isDeleted = name === undefined && id !== null && known?.isWhole === true;
  const icon = icons[kind];
  return (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {name !== undefined ? <ForeignText isCut>{name}</ForeignText> : isDeleted ? texts.deleted(word) : word}
    </>
  );
}
