import { Button, buttonClass, Icon, menuClass, Notice, popoverClass } from '@canvass/console-ui';
import type { ReactNode } from 'react';
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
import { useExportTexts } from './export-texts';
import type { Export } from './use-export';

/** A file to export: what the API takes. */
export interface ExportFile {
  format: 'csv' | 'xlsx' | 'ndjson' | 'json';
  bom?: boolean;
  separator?: ',' | ';';
  idsAsText?: boolean;
}

/** A file for spreadsheets. Those in German separate by semicolons. */
export const forSpreadsheets = (language: Language) =>
  ({ format: 'csv', bom: true, separator: language === 'de' ? ';' : ',', idsAsText: true }) as const;

/** The files by their names. */
const filesOf = (language: Language, spreadsheets: string): Record<string, ExportFile> => ({
  XLSX: { format: 'xlsx' },
  [spreadsheets]: forSpreadsheets(language),
  CSV: { format: 'csv' },
  NDJSON: { format: 'ndjson' },
  JSON: { format: 'json' },
});

interface ExportMenuProps {
  transfer: Export;
  title: string;
  start(file: ExportFile): void;
}

/** A button that exports in a chosen format. */
export function ExportMenu({ transfer, title, start }: ExportMenuProps) {
  const texts = useExportTexts();
  const { language } = usePreferences();
  return (
    <TransferState transfer={transfer}>
      <MenuTrigger>
        <AriaButton className={buttonClass}>
          <Icon name="export" /> {texts.exportAs}
        </AriaButton>
        <Popover className={popoverClass} placement="bottom end">
          <Menu className={menuClass} aria-label={texts.exportAs}>
            <MenuSection>
              <Header>{title}</Header>
              {Object.entries(filesOf(language, texts.forSpreadsheets)).map(([name, file]) => (
                <MenuItem key={name} onAction={() => start(file)}>
                  {name}
                </MenuItem>
              ))}
            </MenuSection>
          </Menu>
        </Popover>
      </MenuTrigger>
    </TransferState>
  );
}

/** How far a transfer came. While a file is received, a button cancels it in place of the one that begins. */
export function TransferState({
  transfer: { notice, isRunning, cancel },
  children,
}: {
  transfer: Export;
  children: ReactNode;
}) {
  const all = useTexts();
  return (
    <>
      {notice !== null && <Notice tone={notice.tone}>{notice.text}</Notice>}
      {isRunning ? <Button onClick={cancel}>{all.cancel}</Button> : children}
    </>
  );
}
