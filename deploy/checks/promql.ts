import { parser } from '@prometheus-io/lezer-promql';

/** A series that an expression reads. */
interface Selector {
  metric: string;
  /** Labels it is chosen by. */
  labels: string[];
  /** Returns whether it is read over a range of time, `x[5m]`. */
  isRange: boolean;
}

export interface Expression {
  /** Faults in words, with the place; empty for a sound expression. */
  faults: string[];
  selectors: Selector[];
  /** Labels of `by`, `without`, `on`, `group_left`. */
  grouping: string[];
}

/** Finds what a PromQL expression reads, by Prometheus's own grammar. */
export function readPromql(text: string): Expression {
  const faults: string[] = [];
  const selectors: Selector[] = [];
  const grouping: string[] = [];
  const of = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) faults.push(`"${text}" is not PromQL at character ${node.from + 1}`);
      if (node.name === 'VectorSelector') {
        const metric = node.node.getChild('Identifier');
        if (metric === null) faults.push(`"${text}" reads a series without a name`);
        const matchers = node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
        selectors.push({
          metric: metric === null ? '' : of(metric),
          labels: matchers.flatMap((matcher) => matcher.getChildren('LabelName').map(of)),
          isRange: node.node.parent?.name === 'MatrixSelector',
        });
      }
      if (node.name === 'GroupingLabels') grouping.push(...node.node.getChildren('LabelName').map(of));
    },
  });
  return { faults, selectors, grouping };
}
