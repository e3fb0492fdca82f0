import { composed, services } from '@canvass/routes';
import type { Expression } from './promql';

/** A series as Prometheus sees it: `x_bucket`, `x_sum` and `x_count` of a histogram are three. */
export interface Series {
  labels: ReadonlySet<string>;
  /** Returns whether it only grows: of use as a rate or an increase. */
  isCounter: boolean;
}

/** On every series: the registry's own label and those that Prometheus gives to a target. */
const everywhere = ['service', 'job', 'instance'];

const nowhere = 'http://127.0.0.1:1';
const gateway = {
  settings: { Gateway: { Services: { Submissions: nowhere, DataLists: nowhere, WebHookRelay: nowhere } } },
};

/**
 * The series that the processes register, by name, of all apps together as their service definitions
 * construct them.
 */
export async function registeredSeries(): Promise<Map<string, Series>> {
  const all = new Map<string, Series>([['up', { labels: new Set(['job', 'instance']), isCounter: false }]]); // Prometheus's own
  for (const [app, definition] of Object.entries({ ...services, gateway })) {
    const { metrics } = await composed(app, definition);
    for (const metric of metrics.registry.getMetricsAsArray()) {
      const { name, type } = metric;
      const own = 'labelNames' in metric ? (metric.labelNames as string[]) : [];
      const labels = new Set([...everywhere, ...own]);
      // The registry has the type as a word, although its declarations say a number.
      const kind = String(type);
      if (kind !== 'histogram') all.set(name, { labels, isCounter: kind === 'counter' });
      else {
        all.set(`${name}_bucket`, { labels: new Set([...labels, 'le']), isCounter: true });
        for (const part of ['sum', 'count']) all.set(`${name}_${part}`, { labels, isCounter: true });
      }
    }
  }
  return all;
}

/** The faults of the series an expression reads; empty when all of them exist as it takes them. */
export function faultsOf(
  series: ReadonlyMap<string, Series>,
  { faults, selectors, grouping }: Expression,
): string[] {
  const found = [...faults];
  const known = new Set<string>();
  for (const { metric, labels, isRange } of selectors) {
    const one = series.get(metric);
    if (one === undefined) {
      found.push(`no process registers ${metric}`);
      continue;
    }
    one.labels.forEach((label) => known.add(label));
    for (const label of labels) if (!one.labels.has(label)) found.push(`${metric} has no label ${label}`);
    if (one.isCounter && !isRange) found.push(`${metric} only grows: take its rate`);
  }
  for (const label of grouping) if (!known.has(label)) found.push(`nothing it reads has the label ${label}`);
  return found;
}
