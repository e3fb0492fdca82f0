import { Button, SelectField } from '@canvass/console-ui';
import { usePreferences, useTextsOf, type Language } from '../../i18n';
import type { Action } from '../action';
import { Check } from '../check';
import { FormDialog } from '../form-dialog';
import { languageName } from '../language-name';

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
  viewColumns: 'Those of the view',
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
  title: 'Antworten exportieren',
  start: 'Exportieren',
  format: 'Datei',
  xlsx: 'Excel-Arbeitsmappe (XLSX)',
  spreadsheet: 'CSV für Tabellenprogramme',
  csv: 'CSV, eine Spalte mit den Antworten als JSON',
  ndjson: 'NDJSON',
  json: 'JSON',
  columns: 'Spalten',
  allColumns: 'Alle',
  viewColumns: 'Die der Ansicht',
  headings: 'Überschriften',
  byTitle: 'Titel der Fragen',
  byName: 'Namen der Fragen',
  answers: 'Antworten',
  byLabel: 'Bezeichnungen',
  byValue: 'Werte',
  language: 'Sprache',
  formLanguage: 'Standard des Formulars',
  later: 'Die Datei im Hintergrund erstellen und später abholen',
  codebook: 'Codebuch herunterladen',
};

type Format = 'xlsx' | 'spreadsheet' | 'csv' | 'ndjson' | 'json';

/** What is exported. */
export interface ExportChoice {
  format: Format;
  columns: 'all' | 'view';
  headings: 'titles' | 'names';
  answers: 'labels' | 'values';
  /** Empty for the default of the form. */
  locale: string;
  isLater: boolean;
}

/** A table has a column for each question. */
export const isTable = ({ format }: ExportChoice): boolean => format === 'xlsx' || format === 'spreadsheet';

/** The first choice: what people read, in their language if the form has it. */
export const firstChoice = (languages: readonly string[], language: Language): ExportChoice => ({
  format: 'xlsx',
  columns: 'all',
  headings: 'titles',
  answers: 'labels',
  locale: languages.includes(language) ? language : '',
  isLater: false,
});

interface ExportDialogProps {
  choice: ExportChoice;
  setChoice(choice: ExportChoice): void;
  /** Languages of the form. */
  languages: readonly string[];
  mayBeLater: boolean;
  action: Action<[]>;
  readCodebook(): void;
  close(): void;
}

/** Asks which file is written. */
export function ExportDialog(props: ExportDialogProps) {
  const { choice, setChoice, languages, mayBeLater, action, readCodebook, close } = props;
  const texts = useTextsOf({ en, de });
  const { language } = usePreferences();
  const set = (change: Partial<ExportChoice>) => setChoice({ ...choice, ...change });
  const hasTexts = choice.headings === 'titles' || choice.answers === 'labels';
  return (
    <FormDialog title={texts.title} submit={texts.start} action={action} close={close}>
      <Choice
        label={texts.format}
        value={choice.format}
        choices={{
          xlsx: texts.xlsx,
          spreadsheet: texts.spreadsheet,
          csv: texts.csv,
          ndjson: texts.ndjson,
          json: texts.json,
        }}
        set={(format) => set({ format })}
      />
      {isTable(choice) && (
        <>
          <Choice
            label={texts.columns}
            value={choice.columns}
            choices={{ all: texts.allColumns, view: texts.viewColumns }}
            set={(columns) => set({ columns })}
          />
          <Choice
            label={texts.headings}
            value={choice.headings}
            choices={{ titles: texts.byTitle, names: texts.byName }}
            set={(headings) => set({ headings })}
          />
          <Choice
            label={texts.answers}
            value={choice.answers}
            choices={{ labels: texts.byLabel, values: texts.byValue }}
            set={(answers) => set({ answers })}
          />
          {hasTexts && languages.length > 0 && (
            <Choice
              label={texts.language}
              value={choice.locale}
              choices={{
                '': texts.formLanguage,
                ...Object.fromEntries(languages.map((own) => [own, languageName(own, language)])),
              }}
              set={(locale) => set({ locale })}
            />
          )}
          <div>
            <Button onClick={readCodebook}>{texts.codebook}</Button>
          </div>
        </>
      )}
      {mayBeLater && (
        <Check label={texts.later} isChecked={choice.isLater} setChecked={(isLater) => set({ isLater })} />
      )}
    </FormDialog>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  /** Names by value. */
  choices: Readonly<Record<Value, string>>;
  set(value: Value): void;
}

const Choice = <Value extends string>({ label, value, choices, set }: ChoiceProps<Value>) => (
  <SelectField label={label} value={value} onChange={(event) => set(event.target.value as Value)}>
    {Object.entries<string>(choices).map(([own, name]) => (
      <option key={own} value={own}>
        {name}
      </option>
    ))}
  </SelectField>
);
