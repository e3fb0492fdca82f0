import { useMemo } from 'react';
import { consolePath } from '../../base';
import { usePreferences, useTexts } from '../../i18n';
import { get } from '../api';
import { useConfiguration } from '../configuration';
import { FormFrame } from '../form-frame';
import { useKeptLayout } from '../kept-layouts';
import { useKeyRows, type KeyPage } from '../key-rows';
import { useListState } from '../list-state';
import { may, useMe } from '../me';
import { RecordGrid } from '../record-grid';
import { questionsOf } from './answers';
import { useAsked } from './use-asked';
import { BulkChange } from './bulk-change';
import { useCheckTexts } from './check-texts';
import { columnsOf, listedFields, shownQuestions, type Submission } from './columns';
import { ExportSubmissions } from './export-submissions';
import { filterOf } from './filter';
import { SubmissionBeside } from './submission-beside';
import { useSubmissionTexts } from './texts';
import { useSubmissionFilters } from './use-submission-filters';
import { withTexts } from './with-texts';
import { useSelection } from '../use-selection';

/** The submissions of a form. Which profile fields are columns is configured. */
export default function SubmissionsPage() {
  const texts = useTexts();
  const { submitterGridProfileFields, submitterPrimaryFilterLabel } = useConfiguration();
  return (
    // The columns are known before the rows are shown, so that nothing moves.
    <FormFrame>
      {({ id, definition }) => (
        <Submissions
          formId={id}
          definition={definition}
          profileFields={submitterGridProfileFields}
          placeholder={submitterPrimaryFilterLabel ?? texts.filterByDisplayId}
        />
      )}
    </FormFrame>
  );
}

interface SubmissionsProps {
  formId: string;
  definition: unknown;
  profileFields: readonly string[];
  /** The placeholder of the filter by display id. */
  placeholder: string;
}

function Submissions({ formId, definition, profileFields, placeholder }: SubmissionsProps) {
  const texts = useTexts();
  const own = useSubmissionTexts();
  const checks = useCheckTexts();
  const me = useMe();
  const { language } = usePreferences();
  const list = useListState();
  const [layout] = useKeptLayout(`submissions-${formId}`);
  // Deleted submissions have no page of their own, and are in no export.
  const isDeleted = list.filter('deleted') === 'true';
  const columns = useMemo(() => {
    return columnsOf(profileFields, questionsOf(definition, language), texts, own, checks);
  }, [definition, language, profileFields, texts, own, checks]);
  const asked = useAsked(definition, list.filters('where'));
  const filter = filterOf(list, asked);
  const [sortBy = 'id', sortDir = 'desc'] = list.filter('sort').split(':');
  const query = {
    ...filter,
    ...(isDeleted && { deleted: true }),
    ...(list.filter('sort') !== '' && { sortBy, sortDir }),
    fields: listedFields,
  };
  const questions = shownQuestions(columns, layout);
  const rows = useKeyRows<Submission>({
    queryKey: ['submissions', formId, query, questions, language],
    async read(place, signal) {
      const params = { path: { formId }, query: { ...(query as object), ...place } };
      const path = '/api/forms/{formId}/submissions';
      const page = (await get(path, params, signal)) as KeyPage<Submission>;
      if (place.total === 'exact') return page;
      return withTexts(page, { formId, questions, locale: language, signal });
    },
  });

  const [selection, setSelection] = useSelection([formId, filter, isDeleted]);
  const mayChange = may(me, isDeleted ? 'restoreSubmission' : 'changeSubmissions');
  const pageOf = (id: string) => `${consolePath}/forms/${formId}/submissions/${id}`;
  const finding = useSubmissionFilters(list, asked, placeholder);
  return (
    <RecordGrid
      screen="submissions"
      scopeId={formId}
      hasViews
      {...finding}
      list={rows}
      operation="listSubmissions"
      label={texts.submissions}
      tools={
        !isDeleted &&
        may(me, 'exportSubmissions') && (
          <ExportSubmissions
            formId={formId}
            definition={definition}
            filter={filter}
            columns={columns}
            layout={layout}
          />
        )
      }
      columns={columns}
      {...(!isDeleted && {
        beside: list.besideOf(pageOf, (id) => (
          <SubmissionBeside key={id} formId={formId} submissionId={id} />
        )),
      })}
      hrefOf={({ id }) => (isDeleted ? null : pageOf(id!))}
      sort={list.filter('sort') === '' ? undefined : { key: sortBy, direction: sortDir as 'asc' | 'desc' }}
      setSort={({ key, direction }) => list.setFilters({ sort: `${key}:${direction}` })}
      {...(mayChange && { selection, setSelection })}
      actions={
        <BulkChange
          formId={formId}
          filter={filter}
          isDeleted={isDeleted}
          selection={selection}
          setSelection={setSelection}
        />
      }
      nothing={{ title: texts.noSubmissions, hint: texts.noSubmissionsHint }}
    />
  );
}
