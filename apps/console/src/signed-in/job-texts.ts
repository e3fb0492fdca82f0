import { useTextsOf } from '../i18n';

type Names = Readonly<Record<string, string>>;

const en = {
  states: { running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' },
  kinds: {
    submission_bulk_change: 'Change of submissions',
    submission_export: 'Export of submissions',
    submitter_erasure: 'Erasure of a person',
    webhook_recovery: 'Recovery of deliveries',
  } as Names,
  /** Numbers of a job that depend on its kind. */
  counts: {
    changed: 'Changed',
    skipped: 'Skipped',
    submissions: 'Submissions',
    recovered: 'Made due',
  } as Names,
  kind: 'Kind',
  anyKind: 'All',
  state: 'State',
  anyState: 'All',
  job: 'Job',
  progress: 'Progress',
  percent: (percent: number) => `${percent} % done`,
  doneOf: (done: string, total: string) => `${done} of ${total}`,
  started: 'Started',
  finished: 'Finished',
  startedBy: 'Started by',
  reason: 'Reason',
  cancel: 'Cancel the job',
  noJobs: 'There are no jobs yet',
  noJobsHint: 'Large changes, exports, erasures and recoveries are jobs.',
  unavailable: 'The jobs of a service that does not answer are missing.',
  toRecovery: 'Show the recovery with its deliveries',
  file: 'File',
  format: 'Format',
  size: 'Size',
  kilobytes: (size: string) => `${size} kB`,
  expires: 'Kept until',
  download: 'Download the file',
  noFile: 'There is no file: the export did not end, or its file was deleted.',
  fileLater: 'The file can be downloaded when the job is done.',
};

const de: typeof en = {
  states: { running: 'Läuft', done: 'Fertig', failed: 'Fehlgeschlagen', cancelled: 'Abgebrochen' },
  kinds: {
    submission_bulk_change: 'Änderung von Antworten',
    submission_export: 'Export von Antworten',
    submitter_erasure: 'Löschung einer Person',
    webhook_recovery: 'Wiederholung von Zustellungen',
  },
  counts: {
    changed: 'Geändert',
    skipped: 'Übersprungen',
    submissions: 'Antworten',
    recovered: 'Fällig gemacht',
  },
  kind: 'Art',
  anyKind: 'Alle',
  state: 'Zustand',
  anyState: 'Alle',
  job: 'Auftrag',
  progress: 'Fortschritt',
  percent: (percent) => `${percent} % erledigt`,
  doneOf: (done, total) => `${done} von ${total}`,
  started: 'Begonnen',
  finished: 'Beendet',
  startedBy: 'Begonnen von',
  reason: 'Grund',
  cancel: 'Auftrag abbrechen',
  noJobs: 'Es gibt noch keine Aufträge',
  noJobsHint: 'Große Änderungen, Exporte, Löschungen und Wiederholungen sind Aufträge.',
  unavailable: 'Die Aufträge eines Dienstes, der nicht antwortet, fehlen.',
  toRecovery: 'Die Wiederholung mit ihren Zustellungen zeigen',
  file: 'Datei',
  format: 'Format',
  size: 'Größe',
  kilobytes: (size) => `${size} kB`,
  expires: 'Aufbewahrt bis',
  download: 'Datei herunterladen',
  noFile: 'Es gibt keine Datei: Der Export wurde nicht fertig, oder die Datei ist gelöscht.',
  fileLater: 'Die Datei kann heruntergeladen werden, wenn der Auftrag fertig ist.',
};

/** The texts of long jobs. */
export const useJobTexts = (): typeof en => useTextsOf({ en, de });
