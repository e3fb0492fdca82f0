import type { components } from '@canvass/client';
import { faultOf, noAnswer } from '../api';
import { pathPrefix } from '../base';
import { session } from '../session';
import { contentTypes, type Format } from './data-lists/file-preview';

export type StagedImport = components['schemas']['DataListImport'];

interface Upload {
  listId: string;
  revision: string;
  file: File;
  format: Format;
  /** Whether the items of the file replace all, or are merged with them. */
  mode: StagedImport['mode'];
  ensureLocales: readonly string[];
  /** What names of columns stand for; null leaves one out. */
  columns: Readonly<Record<string, string | null>>;
  signal: AbortSignal;
  /** Called with the share that was sent, from 0 to 1. */
  progressed(share: number): void;
}

/**
 * Sends a file to be checked. With XMLHttpRequest, which reports how much was sent; the file is not read into
 * memory. JSON files are arrays of items, which the request wraps.
 *
 * @throws {Fault}
 */
export async function stageFile(upload: Upload): Promise<StagedImport> {
  const token = await session.token();
  const first = await send(upload, token);
  if (first.status !== 401) return read(first);
  session.forget(token);
  return read(await send(upload, await session.token()));
}

async function read(response: Response): Promise<StagedImport> {
  if (!response.ok) throw await faultOf(response);
  return (await response.json()) as StagedImport;
}

function send(
  { listId, revision, file, format, mode, ensureLocales, columns, signal, progressed }: Upload,
  token: string,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams(ensureLocales.map((locale) => ['ensureLocales', locale]));
    query.append('mode', mode);
    if (Object.keys(columns).length > 0) query.append('columns', JSON.stringify(columns));
    request.open('POST', `${pathPrefix}/api/data-lists/${listId}/imports?${query}`);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('content-type', contentTypes[format]);
    request.setRequestHeader('if-match', `"${revision}"`);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      progressed(loaded / Math.max(1, total)),
    );
    request.addEventListener('error', () => reject(noAnswer()));
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    request.addEventListener('load', () => {
      const headers = new Headers();
      for (const name of ['x-request-id', 'retry-after']) {
        const value = request.getResponseHeader(name);
        if (value !== null) headers.set(name, value);
      }
      resolve(new Response(request.responseText, { status: request.status, headers }));
    });
    signal.addEventListener('abort', () => request.abort());
    request.send(format === 'json' ? new Blob(['{"items":', file, '}']) : file);
  });
}
