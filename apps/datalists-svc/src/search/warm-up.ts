import type { HealthCheck } from '@canvass/service-kit';
import type { ItemSearch } from './item-search';

/** After so long the process takes its share of the work, and what is missing is loaded by the searches that need it. */
const longestMs = 30_000;

export interface WarmUp {
  start(): void;
  stop(): Promise<void>;
  /** Keeps the process from being ready until it is over; whoever asks nevertheless is answered. */
  check: HealthCheck;
}

/** Loads what searches of large lists need when the process starts, so that no respondent waits for it after a deployment. */
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
      onWarning(error, 'what searches need was not loaded; the first searches load it');
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
            : { status: 'Unhealthy', description: 'What searches of large lists need is being loaded.' },
        ),
    },
  };
}
