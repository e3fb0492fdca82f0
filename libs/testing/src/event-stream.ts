/** An event of a stream of server-sent events. */
interface StreamedEvent {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** An open stream. */
export interface OpenStream {
  status: number;
  /** The events that have arrived so far. Grows. */
  events: StreamedEvent[];
  /** The position from which a client resumes; empty before the first event. */
  lastEventId(): string;
  /** Resolves when the stream has ended, also when it broke off. */
  ended: Promise<void>;
  close(): void;
}

/**
 * Opens a stream of server-sent events. With a status other than 200 there are no events and `ended`
 * resolves.
 */
export async function openStream(url: string, headers: Record<string, string>): Promise<OpenStream> {
  const closing = new AbortController();
  const response = await fetch(url, { headers, signal: closing.signal });
  const events: StreamedEvent[] = [];
  let lastEventId = '';

  function take(block: string): void {
    const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
    lastEventId = fields.get('id') ?? lastEventId;
    const [event, data] = [fields.get('event'), fields.get('data')];
    if (event === undefined || data === undefined) return;
    events.push({ id: lastEventId, event, data: JSON.parse(data) as StreamedEvent['data'] });
  }

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body!) {
      const blocks = (text + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      text = blocks.pop()!;
      blocks.forEach(take);
    }
  }
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  return {
    status: response.status,
    events,
    lastEventId: () => lastEventId,
    ended: (isStream ? read() : response.arrayBuffer().then(() => undefined)).catch(() => undefined),
    close: () => closing.abort(),
  };
}

/** The body of a response, or the first part of a stream that has no end. */
export async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value as Uint8Array | undefined);
}
