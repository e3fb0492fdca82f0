import { maxDocumentBytes, requestTimeoutMs } from './limits';

export type Fetch = typeof globalThis.fetch;

/**
 * Fetches a JSON document of a provider. Redirects are rejected because a key set is trusted for its address.
 * The response is limited to 512 KiB and the request to 5 s. Throws a plain Error that names the address.
 */
export async function fetchJson(
  fetch: Fetch,
  url: string,
  headers: Record<string, string> = {},
): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json, application/jwk-set+json', ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
    return JSON.parse(await limitedText(response));
  } catch (err) {
    throw new Error(
      `${url} returned no usable response: ${err instanceof Error ? err.message : String(err)}`,
      {
        cause: err,
      },
    );
  }
}

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > maxDocumentBytes) throw new Error(`the document is larger than ${maxDocumentBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
