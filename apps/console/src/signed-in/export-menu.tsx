import { Button, buttonClass, Notice } from '@canvass/console-ui';
import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components';
import { usePreferences, useTexts, type Language } from '../i18n';
import filters from './filters.module.css';
import shell from './shell.module.css';
import { useExportTexts, type Export } from './use-export';

/** A file to export: what the API takes. */
export interface ExportFile {
  format: 'csv' | 'xlsx' | 'ndjson' | 'json';
  bom?: boolean;
  separator?: ',' | ';';
  idsAsText?: boolean;
}

/** Whether a file is for people, who open it in a spreadsheet. */
export const isForPeople = ({ format, bom = false }: ExportFile): boolean => format === 'xlsx' || bom;

/** The files by their names. Spreadsheets in German separate by semicolons. */
const filesOf = (language: Language, forSpreadsheets: string): Record<string, ExportFile> => ({
  XLSX: { format: 'xlsx' },
  [forSpreadsheets]: {
    format: 'csv',
    bom: true,
    separator: language === 'de' ? ';' : ',',
    idsAsText: true,
  },
  CSV: { format: 'csv' },
  NDJSON: { format: 'ndjson' },
  JSON: { format: 'json' },
});

interface ExportMenuProps {
  transfer: Export;
  /** Ways to export, each as all files. */
  ways: readonly { title: string; start(file: ExportFile): void }[];
}

/** A button that exports in a chosen format. While a file is received, it cancels. */
export function ExportMenu({ transfer: { notice, isRunning, cancel }, ways }: ExportMenuProps) {
  const all = useTexts();
  const texts = useExportTexts();
  const { language } = usePreferences();
  return (
    <span className={filters.field}>
      {notice !== null && <Notice tone={notice.tone}>{notice.text}</Notice>}
      {isRunning ? (
        <Button onClick={cancel}>{all.cancel}</Button>
      ) : (
        <MenuTrigger>
          <AriaButton className={buttonClass}>{texts.exportAs}</AriaButton>
          <Popover className={shell.popover} placement="bottom end">
            <Menu className={shell.menu} aria-label={texts.exportAs}>
              {ways.map(({ title, start }) => (
                <MenuSection key={title}>
                  <Header>{title}</Header>
                  {Object.entries(filesOf(language, texts.forSpreadsheets)).map(([name, file]) => (
                    <MenuItem key={name} onAction={() => start(file)}>
                      {name}
                    </MenuItem>
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
    </span>
  );
}
