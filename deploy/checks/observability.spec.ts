import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { readCompose } from './compose';
import { services } from './container';
import { readPromql } from './promql';
import { faultsOf, registeredSeries, type Series } from './registered-metrics';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
}
interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}
interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
  templating: { list: { name: string; query: string }[] };
}

const root = path.join(__dirname, '../..');
const text = (file: string) => readFileSync(path.join(root, file), 'utf8');
const rules = (
  parse(text('deploy/observability/alerts.yml')) as { groups: { name: string; rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const folder = 'deploy/observability/dashboards';
const dashboards = readdirSync(path.join(root, folder)).map(
  (file) => [file, JSON.parse(text(`${folder}/${file}`)) as Dashboard] as const,
);

let series: Map<string, Series>;
beforeAll(async () => {
  series = await registeredSeries();
}, 300_000); // the code of all apps is compiled first

/** Puts in what Grafana puts in before it asks. */
const asAsked = (expr: string) => expr.replaceAll('$__rate_interval', '5m');
const faultsIn = (expr: string) => faultsOf(series, readPromql(asAsked(expr)));

describe('the check itself', () => {
  it.each([
    ['rate(webhook_attempts_total{outcome="success"}[5m)', /is not PromQL at character/],
    ['sum(webhook_attempts_totl)', /no process registers webhook_attempts_totl/],
    ['rate(webhook_attempts_total{result="success"}[5m])', /webhook_attempts_total has no label result/],
    ['sum by (outcom) (rate(webhook_attempts_total[5m]))', /has the label outcom$/],
    ['webhook_attempts_total > 5', /only grows/],
    ['{job="canvass"}', /a series without a name/],
  ])('finds what is wrong with %s', (expr, fault) => {
    expect(faultsIn(expr)).toContainEqual(expect.stringMatching(fault));
  });
});

describe('alert rules', () => {
  it('have names of their own', () => {
    const names = rules.map(({ alert }) => alert);
    expect(names.length).toBeGreaterThan(15);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s', (alert, rule) => {
    expect(faultsIn(rule.expr)).toEqual([]);
    expect(rule.for ?? '0s').toMatch(/^\d+[smh]$/);
    expect(['warning', 'critical']).toContain(rule.labels.severity);
    const { summary, description, runbook } = rule.annotations;
    expect(summary.length).toBeGreaterThan(10);
    expect(description.length).toBeGreaterThan(20);
    // Labels that the text shows are still there after the aggregation.
    const { selectors, grouping } = readPromql(rule.expr);
    const aggregated = /\b(sum|max|min|count|avg)\b/.test(rule.expr);
    const shown = [...`${summary}${description}`.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!);
    const left = aggregated ? grouping : [...series.get(selectors[0]!.metric)!.labels];
    expect(left).toEqual(expect.arrayContaining(shown));
    expect(runbook).toBe(`docs/operate/alerts.md#${alert.toLowerCase()}`);
  });

  it('have a paragraph each in the runbook, which has no others', () => {
    const runbook = text('docs/operate/alerts.md');
    const headings = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading);
    expect(headings.sort()).toEqual(rules.map(({ alert }) => alert).sort());
    for (const paragraph of runbook.split(/^## /m).slice(1)) expect(paragraph.length).toBeGreaterThan(150);
  });
});

it('the configuration of Prometheus for Compose names every process', () => {
  const { scrape_configs: jobs, rule_files: files } = parse(text('deploy/observability/prometheus.yml')) as {
    rule_files: string[];
    scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
  };
  expect(files).toEqual(['alerts.yml']);
  expect(jobs.map(({ job_name: name }) => name)).toEqual(['canvass']);
  const [{ names, port } = { names: [], port: 0 }] = jobs[0]!.dns_sd_configs;
  expect([...names].sort()).toEqual([...services].sort());
  const compose = parse(text('docker-compose.yml'), { merge: true }) as {
    'x-hosting': Record<string, string>;
  };
  expect(String(port)).toBe(compose['x-hosting']['Service__Hosting__InternalPort']);
});

it('Grafana does not start with its default password', () => {
  const file = path.join(__dirname, '../../docker-compose.yml');
  expect(() => readCompose(file, 'CANVASS_GRAFANA_PASSWORD=')).toThrow('CANVASS_GRAFANA_PASSWORD: set it');
  expect(() => readCompose(file, 'CANVASS_GRAFANA_PASSWORD=x')).not.toThrow();
});

describe('dashboards', () => {
  it('are of all services, of webhooks and of the gateway', () =>
    expect(dashboards.map(([, { uid }]) => uid).sort()).toEqual([
      'canvass-gateway',
      'canvass-overview',
      'canvass-webhooks',
    ]));

  it.each(dashboards)('%s shows what is registered, in panels that do not overlap', (file, dashboard) => {
    expect(file).toBe(`${dashboard.uid}.json`);
    const { panels, templating } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const variables = new Set(templating.list.map(({ name }) => name));
    const cells = new Set<string>();
    for (const { title, type, gridPos, targets = [] } of panels) {
      expect(type === 'row' || targets.length > 0).toBe(true);
      for (const { expr, legendFormat } of targets) {
        expect([title, faultsIn(expr)]).toEqual([title, []]);
        for (const [, name] of expr.replaceAll('$__rate_interval', '').matchAll(/\$(\w+)/g))
          expect(variables).toContain(name);
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          expect(
            readPromql(asAsked(expr)).selectors.every((s) => series.get(s.metric)!.labels.has(label!)),
          ).toBe(true);
      }
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(x).toBeLessThan(24);
          expect(cells).not.toContain(`${x},${y}`);
          cells.add(`${x},${y}`);
        }
    }
    for (const { query } of templating.list) {
      const [, metric, label] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
      if (metric !== undefined) expect(series.get(metric)!.labels).toContain(label);
    }
  });
});
