import { useLocation } from 'wouter';
import { usePreferences } from '../../i18n';
import { FaultNotice, useAction } from '../action';
import { api, dataOf } from '../api';
import { ExportMenu, isForPeople, type ExportFile } from '../export-menu';
import { may, useMe } from '../me';
import { useExport } from '../use-export';
import type { SubmissionFilter } from './filter';
import { useSubmissionTexts } from './texts';

/** Exports what the filter shows: at once, or as a job that writes a file. */
export function ExportSubmissions({ formId, filter }: { formId: string; filter: SubmissionFilter }) {
  const own = useSubmissionTexts();
  const me = useMe();
  const [, navigate] = useLocation();
  const transfer = useExport();
  const { language } = usePreferences();
  // People read a column for each question, with the labels of choices.
  const bodyOf = (file: ExportFile) => ({
    ...file,
    ...(isForPeople(file) && { answers: 'columns' as const, labels: true, locale: language }),
    ...filter,
  });
  const now = (file: ExportFile) =>
    transfer.run(
      (signal) =>
        api.POST('/api/forms/{formId}/submissions/export', {
          params: { path: { formId } },
          body: bodyOf(file),
          parseAs: 'stream',
          signal,
        }),
      `submissions-${formId}.${file.format}`,
    );
  const later = useAction(async (file: ExportFile) => {
    const params = { path: { formId }, header: { 'Idempotency-Key': crypto.randomUUID() } };
    const path = '/api/forms/{formId}/submissions/exports';
    const { id } = await dataOf(api.POST(path, { params, body: bodyOf(file) }));
    navigate(`/jobs/${id}`);
  });
  const ways = [
    { title: own.exportAll, start: (file: ExportFile) => void now(file) },
    { title: own.exportLater, start: (file: ExportFile) => void later.run(file) },
  ];
  return (
    <>
      <FaultNotice fault={later.fault} />
      <ExportMenu transfer={transfer} ways={may(me, 'getJob') ? ways : ways.slice(0, 1)} />
    </>
  );
}
