import { Button, Icon } from '@canvass/console-ui';
import type { GridColumn, GridLayout } from '@canvass/console-ui/grid';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { usePreferences, type Language } from '../../i18n';
import { useAction } from '../action';
import { api, dataOf } from '../api';
import { forSpreadsheets, TransferState } from '../export-menu';
import { namedIn } from '../forms/definition';
import { may, useMe } from '../me';
import { useExportTexts } from '../export-texts';
import { useExport } from '../use-export';
import { exportFields, exportHeadings, type Submission } from './columns';
import { ExportDialog, firstChoice, isTable, type ExportChoice } from './export-dialog';
import type { SubmissionFilter } from './filter';

interface ExportSubmissionsProps {
  formId: string;
  definition: unknown;
  filter: SubmissionFilter;
  columns: readonly GridColumn<Submission>[];
  layout: GridLayout;
}

/** Exports what the filter shows: at once, or as a job that writes a file. */
export function ExportSubmissions({ formId, definition, filter, columns, layout }: ExportSubmissionsProps) {
  const texts = useExportTexts();
  const me = useMe();
  const [, navigate] = useLocation();
  const transfer = useExport();
  const { language } = usePreferences();
  const [isOpen, setOpen] = useState(false);
  const languages = typeof definition === 'object' ? [...namedIn(definition ?? {}).languages] : [];
  const [choice, setChoice] = useState(() => firstChoice(languages, language));
  const params = { path: { formId } };
  const bodyOf = () => ({
    ...fileOf(choice, language),
    ...(isTable(choice) && {
      ...tableOf(choice),
      headings: exportHeadings(columns),
      ...(choice.columns === 'view' && { fields: exportFields(columns, layout) }),
    }),
    ...filter,
  });
  const action = useAction(async () => {
    if (choice.isLater) {
      const path = '/api/forms/{formId}/submissions/exports';
      const header = { 'Idempotency-Key': crypto.randomUUID() };
      const { id } = await dataOf(api.POST(path, { params: { ...params, header }, body: bodyOf() }));
      navigate(`/jobs/${id}`);
      return;
    }
    setOpen(false);
    const path = '/api/forms/{formId}/submissions/export';
    await transfer.run(
      (signal) => api.POST(path, { params, body: bodyOf(), parseAs: 'stream', signal }),
      `submissions-${formId}`,
    );
  });
  const readCodebook = () => {
    const { format, bom, separator } = fileOf(choice, language);
    const query = { format: format as 'csv' | 'xlsx', locale: choice.locale, ...(bom && { bom, separator }) };
    setOpen(false);
    void transfer.run(
      (signal) =>
        api.GET('/api/forms/{formId}/codebook', { params: { ...params, query }, parseAs: 'stream', signal }),
      `codebook-${formId}`,
    );
  };
  return (
    <>
      <TransferState transfer={transfer}>
        <Button onClick={() => setOpen(true)}>
          <Icon name="export" /> {texts.exportAs}
        </Button>
      </TransferState>
      {isOpen && (
        <ExportDialog
          choice={choice}
          setChoice={setChoice}
          languages={languages}
          mayBeLater={may(me, 'getJob')}
          action={action}
          readCodebook={readCodebook}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}

const fileOf = ({ format }: ExportChoice, language: Language) =>
  format === 'spreadsheet' ? forSpreadsheets(language) : { format, bom: false, separator: ',' as const };

const tableOf = ({ headings, answers, locale }: ExportChoice) => {
  const hasTexts = headings === 'titles' || answers === 'labels';
  return {
    answers: 'columns' as const,
    titles: headings === 'titles',
    labels: answers === 'labels',
    ...(hasTexts && locale !== '' && { locale }),
  };
};
