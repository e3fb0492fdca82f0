import { Button } from '@canvass/console-ui';
import { usePreferences, type Language } from '../../i18n';
import type { Action } from '../action';
import { Check } from '../check';
import { ChoiceField } from '../choice-field';
import { FormDialog } from '../form-dialog';
import { languageNames } from '../language-name';
import { useExportDialogTexts } from './export-texts';

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
  const texts = useExportDialogTexts();
  const { language } = usePreferences();
  const set = (change: Partial<ExportChoice>) => setChoice({ ...choice, ...change });
  const hasTexts = choice.headings === 'titles' || choice.answers === 'labels';
  return (
    <FormDialog title={texts.title} submit={texts.start} action={action} close={close}>
      <ChoiceField
        label={texts.format}
        value={choice.format}
        choices={{
          xlsx: texts.xlsx,
          spreadsheet: texts.spreadsheet,
          csv: texts.csv,
          ndjson: texts.ndjson,
          json: texts.json,
        }}
        choose={(format) => set({ format })}
      />
      {isTable(choice) && (
        <>
          <ChoiceField
            label={texts.columns}
            value={choice.columns}
            choices={{ all: texts.allColumns, view: texts.viewColumns }}
            choose={(columns) => set({ columns })}
          />
          <ChoiceField
            label={texts.headings}
            value={choice.headings}
            choices={{ titles: texts.byTitle, names: texts.byName }}
            choose={(headings) => set({ headings })}
          />
          <ChoiceField
            label={texts.answers}
            value={choice.answers}
            choices={{ labels: texts.byLabel, values: texts.byValue }}
            choose={(answers) => set({ answers })}
          />
          {hasTexts && languages.length > 0 && (
            <ChoiceField
              label={texts.language}
              value={choice.locale}
              choices={{ '': texts.formLanguage, ...languageNames(languages, language) }}
              choose={(locale) => set({ locale })}
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
