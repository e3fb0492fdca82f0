import type { Tone } from '@canvass/console-ui';
import { useEffect, useRef, useState } from 'react';
import { useFaultText } from '../fault-text';
import { usePreferences } from '../i18n';
import { fileNameOf, saveFile } from './download';
import { useExportTexts } from './export-texts';

/** A transfer of a file to the browser. */
export interface Export {
  /** A notice of how far it came, or how it ended. */
  notice: { tone: Tone; text: string } | null;
  isRunning: boolean;
  /** Begins a transfer. @param name of the file, if the answer does not name it */
  run(read: (signal: AbortSignal) => Promise<{ response: Response }>, name: string): Promise<void>;
  cancel(): void;
}

/** A transfer that leaves no file that looks complete if it is aborted. It ends with its page. */
export function useExport(): Export {
  const { ofFault } = useFaultText();
  const own = useExportTexts();
  const { language } = usePreferences();
  const [notice, setNotice] = useState<Export['notice']>(null);
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const size = (bytes: number) => `${format.format(bytes / 1_000_000)} MB`;
  return {
    notice,
    isRunning,
    cancel: () => running.current?.abort(),
    async run(read, name) {
      const { signal } = (running.current = new AbortController());
      let received = 0;
      setRunning(true);
      setNotice(null);
      try {
        const { response } = await read(signal);
        const chunks: BlobPart[] = [];
        for await (const chunk of chunksOf(response)) {
          chunks.push(chunk);
          received += chunk.byteLength;
          setNotice({ tone: 'none', text: own.received(size(received)) });
        }
        const saved = fileNameOf(response) ?? name;
        saveFile(saved, new Blob(chunks, { type: response.headers.get('content-type') ?? '' }));
        setNotice({ tone: 'good', text: own.saved(saved, size(received)) });
      } catch (error) {
        const reason = received > 0 ? own.broken(size(received)) : ofFault(error as Error);
        setNotice(signal.aborted ? { tone: 'none', text: own.cancelled } : { tone: 'bad', text: reason });
      } finally {
        setRunning(false);
      }
    },
  };
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
