import { useTextsOf } from '../i18n';

const en = {
  exportAs: 'Export',
  forSpreadsheets: 'CSV for spreadsheets',
  received: (size: string) => `${size} received`,
  broken: (size: string) => `The transfer broke after ${size}. No file was saved.`,
  cancelled: 'The export was cancelled. No file was saved.',
  saved: (name: string, size: string) => `Saved: ${name} (${size})`,
};

const de: typeof en = {
  exportAs: 'Exportieren',
  forSpreadsheets: 'CSV für Tabellenprogramme',
  received: (size) => `${size} empfangen`,
  broken: (size) => `Die Übertragung brach nach ${size} ab. Es wurde keine Datei gespeichert.`,
  cancelled: 'Der Export wurde abgebrochen. Es wurde keine Datei gespeichert.',
  saved: (name, size) => `Gespeichert: ${name} (${size})`,
};

/** The texts of a transfer of a file. */
export const useExportTexts = (): typeof en => useTextsOf({ en, de });
