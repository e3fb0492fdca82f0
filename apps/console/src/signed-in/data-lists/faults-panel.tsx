import type { components } from '@canvass/client';
import { Button, buttonClass, ForeignText, Notice, Panel, Table, type Column } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { usePreferences } from '../../i18n';
import { Answer } from '../answer';
import { get } from '../api';
import { foreignColumn, numberColumn } from '../columns';
import { Pager } from '../list-parts';
import type { Place } from '../list-state';
import lists from '../list.module.css';
import editor from '../editor.module.css';
import styles from './data-lists.module.css';
import { useImportFaultTexts } from './fault-texts';
import { fileLines, keepFile, keptFile, partsAtCell } from './file-lines';
import type { DataList } from './list-frame';
import { useListTexts } from '../data-list-texts';
import type { StagedImport } from '../stage-file';

type ImportFault = components['schemas']['ImportFault'];
type Code = ImportFault['code'];

const pageSize = 50;
/** Lines that are shown before and after that of the error. */
const around = 2;

/** The errors of a file: by kind, by line, and in the lines of the file itself. */
export function FaultsPanel({ list, staged }: { list: DataList; staged: StagedImport }) {
  const texts = useListTexts();
  const names = useImportFaultTexts();
  const { language } = usePreferences();
  const [code, setCode] = useState<Code | null>(null);
  const [place, setPlace] = useState<Place>({});
  const [chosen, setChosen] = useState<ImportFault | null>(null);
  const query = { limit: pageSize, total: 'exact' as const, ...place, ...(code !== null && { code }) };
  const path = { id: list.id, importId: staged.id };
  const faults = useQuery({
    queryKey: ['faults', staged.id, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => get('/api/data-lists/{id}/imports/{importId}/faults', { path, query }, signal),
  });
  const choose = (next: Code | null) => {
    setCode(next);
    setPlace({});
  };
  const number = (value: number | null) => (value === null ? '–' : value.toLocaleString(language));
  const columns: Column<ImportFault>[] = [
    numberColumn('line', texts.faultLine, (fault) =>
      fault.line === null || staged.format === 'xlsx' ? (
        // The message names the cell of a workbook, whose lines cannot be shown.
        number(fault.line)
      ) : (
        <Button
          look="quiet"
          aria-label={texts.showLine(number(fault.line))}
          aria-pressed={chosen === fault}
          onClick={() => setChosen(fault)}
        >
          {number(fault.line)}
        </Button>
      ),
    ),
    numberColumn('cell', texts.faultColumn, ({ column }) => number(column)),
    foreignColumn('field', texts.faultField, ({ field }) => field),
    // The API has the English sentence, with what is in the file.
    foreignColumn('message', texts.faultMessage, ({ code: own, message }) =>
      language === 'en' ? message : (names[own] ?? message),
    ),
  ];
  const byCode = Object.entries(staged.faultsByCode) as [Code, number][];
  return (
    <div className={lists.side}>
      <Notice tone="bad">
        {texts.faultsLead} {!staged.isWhole && texts.faultsPartial}
      </Notice>
      {chosen !== null && <Lines staged={staged} fault={chosen} />}
      <Panel title={texts.faultsTitle(number(staged.faults))} busy={faults.isFetching}>
        <div className={styles.bar} role="group" aria-label={texts.faultMessage}>
          <Button look="quiet" aria-pressed={code === null} onClick={() => choose(null)}>
            {texts.faultAll} <strong>{number(staged.faults)}</strong>
          </Button>
          {byCode
            .sort(([, one], [, other]) => other - one)
            .map(([own, count]) => (
              <Button key={own} look="quiet" aria-pressed={own === code} onClick={() => choose(own)}>
                {names[own] ?? own} <strong>{number(count)}</strong>
              </Button>
            ))}
        </div>
        <Answer query={faults} operation="listDataListImportFaults">
          {(page) => (
            <>
              <Table
                label={texts.faultsTitle(number(staged.faults))}
                columns={columns}
                rows={page.items}
                keyOf={(fault) => String(page.items.indexOf(fault))}
              />
              <Pager page={page} goTo={setPlace} />
            </>
          )}
        </Answer>
      </Panel>
      <div className={styles.actions}>
        <Link href={`/data-lists/${list.id}/import`} className={buttonClass}>
          {texts.otherFile}
        </Link>
      </div>
    </div>
  );
}

/** The lines around an error, from the file on this machine. */
function Lines({ staged, fault }: { staged: StagedImport; fault: ImportFault }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState(() => keptFile(staged.id));
  const { encoding, separator } = staged.file ?? {};
  const lines = useMemo(
    () => (file === null ? null : fileLines(file, encoding ?? 'utf-8')),
    [file, encoding],
  );
  const line = fault.line ?? 1;
  const shown = useQuery({
    queryKey: ['lines', staged.id, file?.name, file?.lastModified, line],
    enabled: lines !== null,
    queryFn: () => lines!.around(line, around),
  });
  if (file === null)
    return (
      <Panel title={texts.fileLines}>
        <div className={editor.editor}>
          <p>{texts.fileNeeded}</p>
          <div>
            <Button onClick={() => input.current?.click()}>{texts.chooseFile}</Button>
          </div>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={texts.chooseFile}
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen === undefined) return;
              keepFile(staged.id, chosen);
              setFile(chosen);
            }}
          />
        </div>
      </Panel>
    );
  return (
    <Panel title={texts.fileLines} busy={shown.isFetching}>
      <Answer query={shown} operation="listDataListImportFaults">
        {(rows) => (
          <ol className={styles.lines}>
            {rows.map(({ line: own, text }) => (
              <li key={own} className={own === line ? styles.faulty : undefined}>
                <span className={styles.lineNumber}>{own.toLocaleString(language)}</span>
                <code>
                  {own === line && fault.column !== null && separator ? (
                    <MarkedCell parts={partsAtCell(text, fault.column, separator)} />
                  ) : (
                    <ForeignText>{text}</ForeignText>
                  )}
                </code>
              </li>
            ))}
          </ol>
        )}
      </Answer>
    </Panel>
  );
}

/** A line of a CSV file with one of its cells marked. */
const MarkedCell = ({ parts: [before, cell, after] }: { parts: [string, string, string] }) => (
  <>
    <ForeignText>{before}</ForeignText>
    <mark className={cell === '' ? styles.emptyCell : undefined}>
      <ForeignText>{cell}</ForeignText>
    </mark>
    <ForeignText>{after}</ForeignText>
  </>
);
