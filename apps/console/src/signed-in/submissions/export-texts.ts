import { useTextsOf } from '../../i18n';

const en = {
  title: 'Export submissions',
  start: 'Export',
  format: 'File',
  xlsx: 'Excel workbook (XLSX)',
  spreadsheet: 'CSV for spreadsheets',
  csv: 'CSV, one column of answers as JSON',
  ndjson: 'NDJSON',
  json: 'JSON',
  columns: 'Columns',
  allColumns: 'All',
  viewColumns: 'Columns of the view',
  headings: 'Headings',
  byTitle: 'Titles of the questions',
  byName: 'Names of the questions',
  answers: 'Answers',
  byLabel: 'Labels',
  byValue: 'Values',
  language: 'Language',
  formLanguage: 'Default of the form',
  later: 'Prepare the file in the background, to fetch it later',
  codebook: 'Download the codebook',
};

const de: typeof en = {
  title: 'Einsendungen exportieren',
  start: 'Exportieren',
  format: 'Datei',
  xlsx: 'Excel-Arbeitsmappe (XLSX)',
  spreadsheet: 'CSV für Tabellenprogramme',
  csv: 'CSV, eine Spalte mit den Antworten als JSON',
  ndjson: 'NDJSON',
  json: 'JSON',
  columns: 'Spalten',
  allColumns: 'Alle',
  viewColumns: 'Spalten der Ansicht',
  headings: 'Überschriften',
  byTitle: 'Titel der Fragen',
  byName: 'Namen der Fragen',
  answers: 'Antworten',
  byLabel: 'Beschriftungen',
  byValue: 'Werte',
  language: 'Sprache',
  formLanguage: 'Standard des Formulars',
  later: 'Die Datei im Hintergrund erstellen und später abholen',
  codebook: 'Codebuch herunterladen',
};

/** The texts of the export of submissions. */
export const useExportDialogTexts = (): typeof en => useTextsOf({ en, de });
