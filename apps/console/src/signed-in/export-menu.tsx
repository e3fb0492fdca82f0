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
import { useTexts } from '../i18n';
import filters from './filters.module.css';
import shell from './shell.module.css';
import { useExportTexts, type Export } from './use-export';

const formats = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' } as const;
export type ExportFormat = keyof typeof formats;

interface ExportMenuProps {
  transfer: Export;
  /** Ways to export, each in all formats. */
  ways: readonly { title: string; start(format: ExportFormat): void }[];
}

/** A button that exports in a chosen format. While a file is received, it cancels. */
export function ExportMenu({ transfer: { notice, isRunning, cancel }, ways }: ExportMenuProps) {
  const all = useTexts();
  const texts = useExportTexts();
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
                  {Object.entries(formats).map(([format, name]) => (
                    <MenuItem key={format} onAction={() => start(format as ExportFormat)}>
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
