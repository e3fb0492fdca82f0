import type { components } from '@canvass/client';
import { Badge, Button, ForeignText, Panel, State, Table, type Column, toast } from '@canvass/console-ui';
import { writeJson } from '@canvass/json-numbers';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FaultNotice, useChange } from '../action';
import { Answer } from '../answer';
import { api, exactDataOf, get } from '../api';
import { Author } from '../author';
import { column, timeColumn } from '../columns';
import { FormFrame, type Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { Pager } from '../list-parts';
import { useListState } from '../list-state';
import { may, useMe } from '../me';
import lists from '../list.module.css';
import styles from './definition.module.css';
import { Difference } from './difference';

type Version = components['schemas']['FormVersion'];
type VersionPage = components['schemas']['FormVersionPage'];

/** The size of a page: no form keeps more, so that all are on one page. */
const pageSize = 100;
const textOf = (definition: unknown): string => writeJson(definition, undefined, 2);

/** The definitions that a form has had, what differs from the current one, and the way back. */
export default function VersionsPage() {
  return <FormFrame>{(form) => <Versions form={form} />}</FormFrame>;
}

function Versions({ form }: { form: Form }) {
  const texts = useFormTexts();
  const list = useListState();
  const shown = list.filter('show');
  const query = { limit: pageSize, total: 'exact' as const, ...list.place };
  const versions = useQuery({
    queryKey: ['form versions', form.id, form.revision, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      get('/api/forms/{formId}/versions', { path: { formId: form.id }, query }, signal),
  });
  const show = (revision: string) => list.setFilters({ show: revision });
  const revisionBefore = (revision: string) => {
    const all = versions.data?.items ?? [];
    return all[all.findIndex((version) => version.revision === revision) + 1]?.revision ?? null;
  };
  const isCurrent = (version: Version, page: VersionPage) =>
    page.previous === null && version === page.items[0];
  const columns = (page: VersionPage): Column<Version>[] => [
    column('revision', texts.version, (version) => (
      <span className={lists.row}>
        {version.revision}
        {isCurrent(version, page) && <Badge tone="good">{texts.current}</Badge>}
      </span>
    )),
    timeColumn('at', texts.savedAt, ({ savedAt }) => savedAt),
    column('by', texts.savedBy, ({ savedBy }) => <Author of={savedBy} unknown={texts.unknown} />),
    column('show', texts.show, ({ revision }) => (
      <Button
        look="quiet"
        aria-pressed={revision === shown}
        aria-label={texts.showVersion(revision)}
        onClick={() => show(revision)}
      >
        {texts.show}
      </Button>
    )),
  ];
  const restore = useChange([['form', form.id]], async (revision: string) => {
    await api.POST('/api/forms/{formId}/versions/{revision}/restore', {
      params: { path: { formId: form.id, revision }, header: { 'If-Match': `"${form.revision}"` } },
    });
    toast(texts.restored(revision));
    show('');
  });
  return (
    <div className={lists.side}>
      <FaultNotice fault={restore.fault} />
      <Panel title={texts.versions} busy={versions.isFetching}>
        <Answer query={versions} operation="listFormVersions">
          {(page) =>
            page.items.length === 0 ? (
              <State title={texts.noVersions}>{texts.noVersionsHint}</State>
            ) : (
              <>
                <Table
                  label={texts.versions}
                  columns={columns(page)}
                  rows={page.items}
                  keyOf={({ revision }) => revision}
                />
                <Pager page={page} goTo={list.goTo} />
              </>
            )
          }
        </Answer>
      </Panel>
      {shown !== '' && (
        <OneVersion
          form={form}
          revision={shown}
          before={revisionBefore(shown)}
          against={list.filter('against')}
          compareWith={(against) => list.setFilters({ against })}
          isBusy={restore.isBusy}
          restore={() => void restore.run(shown)}
        />
      )}
    </div>
  );
}

interface OneVersionProps {
  form: Form;
  revision: string;
  /** Revision of the version before it; null if no such version is kept. */
  before: string | null;
  /** `before`: what the version changed; anything else: what a restore would change. */
  against: string;
  compareWith(against: string): void;
  isBusy: boolean;
  restore(): void;
}

/** The definition of a version as text; not read without a revision. */
const useVersionText = (form: Form, revision: string | null) =>
  useQuery({
    queryKey: ['form version', form.id, revision],
    enabled: revision !== null,
    queryFn: async ({ signal }) => {
      const params = { path: { formId: form.id, revision: revision! } };
      const version = await exactDataOf<Pick<Form, 'definition'>>(
        api.GET('/api/forms/{formId}/versions/{revision}', { params, parseAs: 'text', signal }),
      );
      return textOf(version.definition);
    },
  });

function OneVersion({ form, revision, before, against, compareWith, isBusy, restore }: OneVersionProps) {
  const texts = useFormTexts();
  const mayRestore = may(useMe(), 'restoreFormVersion');
  const isAgainstBefore = against === 'before' && before !== null;
  const version = useVersionText(form, revision);
  const former = useVersionText(form, isAgainstBefore ? before : null);
  const current = textOf(form.definition);
  const title = isAgainstBefore ? texts.versionBefore(revision, before) : texts.versionTitle(revision);
  const restoreButton = mayRestore && version.data !== undefined && version.data !== current && (
    <Button look="primary" disabled={isBusy} onClick={restore}>
      {texts.restore(revision)}
    </Button>
  );
  const tools = (
    <span className={lists.row}>
      {before !== null && (
        <Button onClick={() => compareWith(isAgainstBefore ? '' : 'before')}>
          {isAgainstBefore ? texts.compareCurrent : texts.compareBefore}
        </Button>
      )}
      {restoreButton}
    </span>
  );
  return (
    <Panel title={title} busy={version.isFetching || former.isFetching} tools={tools}>
      <Answer query={version} operation="getFormVersion">
        {(own) => (
          <>
            {isAgainstBefore ? (
              <Answer query={former} operation="getFormVersion">
                {(old) => <Compared label={title} before={old} after={own} same={texts.sameAsBefore} />}
              </Answer>
            ) : (
              <Compared label={title} before={current} after={own} same={texts.sameAsCurrent} />
            )}
            <details className={styles.whole}>
              <summary>{texts.wholeText}</summary>
              <pre tabIndex={0} role="group" aria-label={texts.wholeText} dir="ltr">
                <ForeignText>{own}</ForeignText>
              </pre>
            </details>
          </>
        )}
      </Answer>
    </Panel>
  );
}

interface ComparedProps {
  label: string;
  before: string;
  after: string;
  /** Said if nothing differs. */
  same: string;
}

function Compared({ same, ...texts }: ComparedProps) {
  if (texts.before === texts.after) return <p className={styles.notes}>{same}</p>;
  return <Difference {...texts} />;
}
