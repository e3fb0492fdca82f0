import { createHash } from 'node:crypto';
import type { CheckEntry, HealthReport, HealthStatus } from './report';

const style = `
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--ok:#116329;--okb:#dafbe1;--warn:#7d4e00;--warnb:#fff1c2;--bad:#a40e26;--badb:#ffe2e0}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--card:#161b22;--ink:#e6edf3;--soft:#9aa4af;--line:#30363d;--ok:#7ee787;--okb:#12341c;--warn:#f2cc60;--warnb:#3a2d05;--bad:#ff9a94;--badb:#471a1c}}
*{box-sizing:border-box}
body{margin:0;padding:2rem 1rem 3rem;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:46rem;margin:0 auto}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;margin-bottom:.25rem}
h1{font-size:1.5rem;line-height:1.2;margin:0;overflow-wrap:anywhere}
p{margin:.35rem 0 0;color:var(--soft)}
ul{list-style:none;margin:1.5rem 0;padding:0}
li{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.1rem;margin-bottom:.75rem}
.row{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem .75rem}
.state{display:inline-flex;align-items:center;gap:.75rem;margin-left:auto}
h2{font-size:1.05rem;margin:0;flex:1 1 auto;overflow-wrap:anywhere}
.badge{display:inline-flex;align-items:center;gap:.4em;padding:.1rem .65rem;border-radius:1rem;font-weight:600;font-size:.9rem;white-space:nowrap}
.Healthy{color:var(--ok);background:var(--okb)}
.Degraded{color:var(--warn);background:var(--warnb)}
.Unhealthy{color:var(--bad);background:var(--badb)}
time{font-variant-numeric:tabular-nums}
.took{color:var(--soft);white-space:nowrap}
.state .took{font-size:.9rem}
dl{display:grid;grid-template-columns:fit-content(50%) 1fr;gap:.15rem 1rem;margin:.6rem 0 0;font-size:.9rem}
dt{color:var(--soft);overflow-wrap:anywhere}
dd{margin:0;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:.2em}
a:focus-visible{outline:2px solid currentColor;outline-offset:3px;border-radius:.2rem}
`;

/** Content security policy of the page: no scripts, no requests, one style sheet. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const signs: Record<HealthStatus, string> = { Healthy: '✓', Degraded: '!', Unhealthy: '✕' };
const sentences: Record<HealthStatus, string> = {
  Healthy: 'All checks passed.',
  Degraded: 'The service works, but at least one dependency does not.',
  Unhealthy: 'At least one check failed.',
};

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

/** Formats a time span of the report as `1.2 ms` or `0.80 s`. */
function readable(span: string): string {
  const [hours, minutes, seconds] = span.split(':').map(Number) as [number, number, number];
  const milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return milliseconds < 1000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

const badge = (status: HealthStatus): string =>
  `<span class="badge ${status}"><span aria-hidden="true">${signs[status]}</span>${status}</span>`;

const took = (span: string): string => `<time class="took" title="${escape(span)}">${readable(span)}</time>`;

function data(entry: CheckEntry): string {
  const members = Object.entries(entry.data);
  if (members.length === 0) return '';
  const rows = members.map(
    ([key, value]) =>
      `<dt>${escape(key)}</dt><dd>${escape(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))}</dd>`,
  );
  return `<dl>${rows.join('')}</dl>`;
}

const item = (entry: CheckEntry): string => `
<li>
<div class="row"><h2>${escape(entry.name)}</h2><span class="state">${took(entry.duration)}${badge(entry.status)}</span></div>
${entry.description === null ? '' : `<p>${escape(entry.description)}</p>`}${data(entry)}
</li>`;

/** Renders the report as HTML: without scripts, for small screens, dark mode and screen readers. */
export function renderPage(service: string, report: HealthReport, now: Date): string {
  const at = now.toISOString().replace(/\.\d+Z$/, 'Z');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${report.status} – ${escape(service)} health</title>
<style>${style}</style>
</head>
<body>
<main>
<header><h1>${escape(service)}</h1>${badge(report.status)}</header>
<p>${sentences[report.status]}</p>
<p>Checked at <time datetime="${at}">${at.replace('T', ' ').replace('Z', ' UTC')}</time> in ${took(report.totalDuration)}. <a href="">Check again</a></p>
<ul aria-label="Checks">${report.checks.map(item).join('')}
</ul>
</main>
</body>
</html>
`;
}
