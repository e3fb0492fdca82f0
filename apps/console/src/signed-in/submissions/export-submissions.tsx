import { useLocation } from 'wouter';
import { FaultNotice, useAction } from '../action';
import { api, dataOf } from '../api';
import { ExportMenu, type ExportFormat } from '../export-menu';
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
  const now = (format: ExportFormat) =>
    transfer.run(
      (signal) =>
        api.POST('/api/forms/{formId}/submissions/export', {
          params: { path: { formId } },
          body: { format, ...filter },
          parseAs: 'stream',
          signal,
        }),
      `submissions-${formId}.${format}`,
    );
  const later = useAction(async (format: ExportFormat) => {
    const params = { path: { formId }, header: { 'Idempotency-Key': crypto.randomUUID() } };
    const path = '/api/forms/{formId}/submissions/exports';
    const { id } = await dataOf(api.POST(path, { params, body: { format, ...filter } }));
    navigate(`/jobs/${id}`);
  });
  const ways = [
    { title: own.exportAll, start: (format: ExportFormat) => void now(format) },
    { title: own.exportLater, start: (format: ExportFormat) => void later.run(format) },
  ];
  return (
    <>
      <FaultNotice fault={later.fault} />
      <ExportMenu transfer={transfer} ways={may(me, 'getJob') ? ways : ways.slice(0, 1)} />
    </>
  );
}
