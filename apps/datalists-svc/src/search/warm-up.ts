import type { HealthCheck } from '@canvass/service-kit';
import type { ItemSearch } from './item-search';

/** After this time the process becomes ready. Missing data is loaded by the searches that need it. */
const longestMs = 30_000;

export interface WarmUp {
  start(): void;
  stop(): Promise<void>;
  /** Not ready until loading ends. Requests are still answered. */
  check: HealthCheck;
}

/** Loads the search data of large lists at start, so that no respondent waits for it after a deployment. */
export function createWarmUp(
  search: Pick<ItemSearch, 'warmUp'>,
  onWarning: (error: unknown, message: string) => void,
): WarmUp {
  const stopping = new AbortController();
  let isOver = false;
  let running = Promise.resolve();

  async function load(): Promise<void> {
    try {
      await search.warmUp(AbortSignal.any([stopping.signal, AbortSignal.timeout(longestMs)]));
    } catch (error) {
      onWarning(error, 'failed to load search data; the first searches will load it');
    } finally {
      isOver = true;
    }
  }

  return {
    start() {
      running = load();
    },
    async stop() {
      stopping.abort();
      await running;
    },
    check: {
      name: 'search',
      tags: ['ready'],
      check: () =>
        Promise.resolve(
          isOver
            ? { status: 'Healthy' }
            : { status: 'Unhealthy', description: 'Loading the search data of large lists.' },
        ),
    },
  };
}
