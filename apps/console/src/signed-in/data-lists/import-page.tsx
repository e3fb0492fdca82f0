import { Button, ForeignText, Notice, Panel, Table } from '@canvass/console-ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState, type DragEvent } from 'react';
import { useLocation } from 'wouter';
import { usePreferences } from '../../i18n';
import { FaultNotice } from '../action';
import { Answer } from '../answer';
import { Checks, Radios } from '../check';
import { columnMap, newLocales, suggestedKeys } from './column-keys';
import { ColumnTable } from './column-table';
import { column } from '../columns';
import lists from '../list.module.css';
import editor from '../editor.module.css';
import styles from './data-lists.module.css';
import { keepFile } from './file-lines';
import { unknownLocales, type Preview } from './file-preview';
import { readPreview } from './read-preview';
import { localeName } from './known-languages';
import { ListFrame, type DataList } from './list-frame';
import { StagedImports } from './staged-imports';
import { useConfiguration } from '../configuration';
import { useListTexts } from '../data-list-texts';
import { stageFile, type StagedImport } from '../stage-file';

/** The first steps of an import: a file, what it looks like, and its check. */
export default function ImportPage() {
  return <ListFrame>{(list) => <Steps list={list} />}</ListFrame>;
}

function Steps({ list }: { list: DataList }) {
  const [file, setFile] = useState<File | null>(null);
  return (
    <div className={lists.side}>
      <Choose choose={setFile} />
      {file === null ? (
        <StagedImports list={list} />
      ) : (
        <Check key={`${file.name} ${file.size} ${file.lastModified}`} list={list} file={file} />
      )}
    </div>
  );
}

function Choose({ choose }: { choose(file: File): void }) {
  const texts = useListTexts();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) choose(file);
  };
  return (
    <div
      className={`${styles.drop} ${isOver ? styles.over : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Button look="primary" onClick={() => input.current?.click()}>
        {texts.chooseFile}
      </Button>
      <p>
        {texts.importLead} <span className={lists.soft}>{texts.importFormats}</span>
      </p>
      <input
        ref={input}
        type="file"
        hidden
        accept=".xlsx,.csv,.ndjson,.jsonl,.json"
        aria-label={texts.chooseFile}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) choose(file);
          target.value = ''; // so that the corrected file of the same name can be chosen
        }}
      />
    </div>
  );
}

function Check({ list, file }: { list: DataList; file: File }) {
  const texts = useListTexts();
  const preview = useQuery({
    queryKey: ['preview', list.id, file.name, file.size, file.lastModified],
    queryFn: () => readPreview(list.id, file),
    staleTime: Infinity,
  });
  return (
    <Answer query={preview} operation="stageDataListImport">
      {(data) => <Checked list={list} file={file} preview={data} title={texts.previewTitle} />}
    </Answer>
  );
}

interface CheckedProps {
  list: DataList;
  file: File;
  preview: Preview;
  title: string;
}

function Checked({ list, file, preview, title }: CheckedProps) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const [, navigate] = useLocation();
  const { found } = preview;
  const unknown = found ? [] : unknownLocales(preview.columns ?? [], list);
  const [added, setAdded] = useState<readonly string[]>(unknown);
  const suggested = useMemo(() => suggestedKeys(found ?? [], list), [found, list]);
  const [keys, setKeys] = useState<readonly (string | null)[]>(suggested);
  const asks = found?.some(({ name, key }) => key === null && name.trim() !== '') ?? false;
  const isMissing = asks && !(keys.includes('value') && keys.includes('default'));
  const [mode, setMode] = useState<StagedImport['mode']>('replace');
  const [share, setShare] = useState(0);
  const [upload, setUpload] = useState<AbortController | null>(null);
  const check = useMutation({
    mutationFn: () => {
      const controller = new AbortController();
      setUpload(controller);
      return stageFile({
        listId: list.id,
        revision: list.revision,
        file,
        format: preview.format,
        mode,
        ensureLocales: found ? newLocales(keys, list) : added,
        columns: asks ? columnMap(found!, keys) : {},
        signal: controller.signal,
        progressed: setShare,
      });
    },
    onSuccess: ({ id }) => {
      keepFile(id, file);
      navigate(`/data-lists/${list.id}/import/${id}`);
    },
    onSettled: () => setUpload(null),
  });
  const sizeOf = (bytes: number) => {
    const [unit, divisor] = bytes < 1_048_576 ? ['KiB', 1024] : ['MiB', 1_048_576];
    return `${(bytes / divisor).toLocaleString(language, { maximumFractionDigits: 1 })} ${unit}`;
  };
  const size = sizeOf(file.size);
  const { limits } = useConfiguration();
  const max =
    preview.format === 'json' || preview.format === 'xlsx' ? limits.importJsonBytes : limits.importRowsBytes;
  const isTooLarge = file.size > max;
  const isCancelled = check.error?.name === 'AbortError';
  return (
    <Panel title={title}>
      <div className={editor.editor}>
        <p>
          <ForeignText>{texts.fileFacts(file.name, size, preview.format.toUpperCase())}</ForeignText>
        </p>
        {isTooLarge && <Notice tone="bad">{texts.tooLarge(sizeOf(max))}</Notice>}
        {!preview.isUtf8 && <Notice tone="warn">{texts.notDecoded}</Notice>}
        {unknown.length > 0 && (
          <fieldset className={lists.row}>
            <legend>{texts.unknownColumns}</legend>
            <Checks
              choices={unknown.map((locale) => [locale, texts.addLocale(localeName(locale, language))])}
              chosen={added}
              setChosen={setAdded}
            />
          </fieldset>
        )}
        {list.itemsCount > 0 && (
          <fieldset className={lists.row}>
            <legend>{texts.importMode}</legend>
            <Radios
              choices={{ replace: texts.modeReplace, merge: texts.modeMerge }}
              value={mode}
              choose={setMode}
            />
          </fieldset>
        )}
        {asks && (
          <ColumnTable
            names={preview.columns!}
            rows={preview.rows}
            keys={keys}
            setKeys={setKeys}
            offered={newLocales(suggested, list)}
            list={list}
          />
        )}
        {!isCancelled && <FaultNotice fault={check.error} />}
        {upload === null ? (
          <div className={styles.actions}>
            <Button look="primary" disabled={isTooLarge || isMissing} onClick={() => check.mutate()}>
              {texts.checkFile}
            </Button>
          </div>
        ) : (
          <div className={styles.progress}>
            <label>
              {share < 1 ? texts.checking : texts.comparing}
              <progress max={1} value={share < 1 ? share : undefined} />
            </label>
            <span role="status">
              {(Math.floor(share * 10) / 10).toLocaleString(language, { style: 'percent' })}
            </span>
            <Button onClick={() => upload.abort()}>{texts.cancelUpload}</Button>
          </div>
        )}
      </div>
      {preview.columns === null ? (
        <p className={lists.note}>{texts.noPreview}</p>
      ) : (
        <div
          className={styles.preview}
          tabIndex={0}
          role="region"
          aria-label={texts.previewRows(preview.rows.length)}
        >
          <Table
            label={texts.previewRows(preview.rows.length)}
            columns={preview.columns.map((name, n) =>
              column(String(n), name || '–', ({ cells }: { cells: string[]; key: string }) => (
                <ForeignText isCut>{cells[n] ?? ''}</ForeignText>
              )),
            )}
            rows={preview.rows.map((cells, n) => ({ cells, key: String(n) }))}
            keyOf={({ key }) => key}
          />
        </div>
      )}
    </Panel>
  );
}
