import type { ServerResponse } from 'node:http';

/** Returns whether the client of a request disconnected before the response was complete. */
export class Disconnect {
  #happened = false;
  #abort: AbortController | undefined;

  constructor(response: ServerResponse) {
    response.once('close', () => {
      if (response.writableFinished) return;
      this.#happened = true;
      this.#abort?.abort(new Error('The client disconnected.'));
    });
  }

  get happened(): boolean {
    return this.#happened;
  }

  /** Created when it is first read: few handlers need it, and it would be a notable cost of every request. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#happened) this.#abort.abort(new Error('The client disconnected.'));
    }
    return this.#abort.signal;
  }
}
