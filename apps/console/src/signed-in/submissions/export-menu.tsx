import { Button, buttonClass, Notice, type Tone } from '@canvass/console-ui';
import { useEffect, useRef, useState } from 'react';
import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  type Key,
} from 'react-aria-components';
import { useLocation } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { api, dataOf } from '../api';
import { fileNameOf, saveFile } from '../download';
import filters from '../filters.module.css';
import { may, useMe } from '../me';
import shell from '../shell.module.css';
import type { SubmissionFilter } from './filter';
import { useSubmissionTexts } from './texts';

const formats = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' } as const;
type Format = keyof typeof formats;

/**
 * Exports what the filter shows: at once, or as a job that writes a file. An aborted transfer leaves no file
 * that looks complete.
 */
export function ExportMenu({ formId, filter }: { formId: string; filter: SubmissionFilter }) {
  const texts = useTexts();
  const own = useSubmissionTexts();
  const me = useMe();
  const [, navigate] = useLocation();
  const { language } = usePreferences();
  const [notice, setNotice] = useState<{ tone: Tone; text: string } | null>(null);
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const size = (bytes: number) =>
    `${(bytes / 1_000_000).toLocaleString(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 })} MB`;
  const run = async (format: Format) => {
    const { signal } = (running.current = new AbortController());
    let received = 0;
    setRunning(true);
    setNotice(null);
    try {
      const { response } = await api.POST('/api/forms/{formId}/submissions/export', {
        params: { path: { formId } },
        body: { format, ...filter },
        parseAs: 'stream',
        signal,
      });
      const chunks: BlobPart[] = [];
      for await (const chunk of chunksOf(response)) {
        chunks.push(chunk);
        received += chunk.byteLength;
        setNotice({ tone: 'none', text: own.exported(size(received)) });
      }
      const name = fileNameOf(response) ?? `submissions-${formId}.${format}`;
      saveFile(name, new Blob(chunks, { type: response.headers.get('content-type') ?? '' }));
      setNotice({ tone: 'good', text: own.exportSaved(name, size(received)) });
    } catch (error) {
      const reason = received > 0 ? own.exportBroken(size(received)) : (error as Error).message;
      setNotice(
        signal.aborted
          ? { tone: 'none', text: own.exportCancelled }
          : { tone: 'bad', text: reason || texts.notReachableText },
      );
    } finally {
      setRunning(false);
    }
  };
  const start = async (format: Format) => {
    setRunning(true);
    setNotice(null);
    try {
      const params = { path: { formId }, header: { 'Idempotency-Key': crypto.randomUUID() } };
      const path = '/api/forms/{formId}/submissions/exports';
      const { id } = await dataOf(api.POST(path, { params, body: { format, ...filter } }));
      navigate(`/jobs/${id}`);
    } catch (error) {
      setNotice({ tone: 'bad', text: (error as Error).message || texts.notReachableText });
      setRunning(false);
    }
  };
  const onAction = (key: Key) => {
    const [way, format] = String(key).split(' ') as ['now' | 'later', Format];
    void (way === 'now' ? run(format) : start(format));
  };
  return (
    <span className={filters.field}>
      {notice !== null && <Notice tone={notice.tone}>{notice.text}</Notice>}
      {isRunning ? (
        <Button onClick={() => running.current?.abort()}>{texts.cancel}</Button>
      ) : (
        <MenuTrigger>
          <AriaButton className={buttonClass}>{own.exportAs}</AriaButton>
          <Popover className={shell.popover} placement="bottom end">
            <Menu className={shell.menu} aria-label={own.exportAs} onAction={onAction}>
              <Formats title={own.exportAll} way="now" />
              {may(me, 'getJob') && <Formats title={own.exportLater} way="later" />}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
    </span>
  );
}

function Formats({ title, way }: { title: string; way: 'now' | 'later' }) {
  return (
    <MenuSection>
      <Header>{title}</Header>
      {Object.entries(formats).map(([format, name]) => (
        <MenuItem key={format} id={`${way} ${format}`}>
          {name}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

/** The bytes of a body as they come. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
