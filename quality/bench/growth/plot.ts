/** A line of a panel: milliseconds by rows. Points without a value are left out. */
export interface Line {
  name: string;
  points: { rows: number; ms: number | null }[];
}

export interface Panel {
  title: string;
  lines: Line[];
}

const [panelWidth, panelHeight, columns] = [300, 210, 3];
const margin = { left: 48, right: 14, top: 30, bottom: 34 };
const decades = { from: -2, to: 4 };

/**
 * An SVG with a panel for each list: time per statement over the rows, both logarithmic, one line per question
 * with its name as a tooltip. Lines that end above `limitMs` have a colour of their own. It follows the light
 * or dark scheme of the reader.
 */
export function plotOf(panels: readonly Panel[], limitMs: number): string {
  const sizes = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ rows }) => rows)));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const height = Math.ceil(panels.length / columns) * panelHeight + 26;
  const width = columns * panelWidth;
  const body = panels.map((panel, n) => {
    const [x, y] = [(n % columns) * panelWidth, Math.floor(n / columns) * panelHeight];
    return `<g transform="translate(${x} ${y})">${panelSvg(panel, { least, most, limitMs })}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Time per statement over the number of submissions">
<style>
  text { font: 11px system-ui, sans-serif; fill: #24292f; }
  .title { font-weight: 600; font-size: 12px; }
  .grid { stroke: #8c959f; stroke-opacity: 0.3; }
  .limit { stroke: #cf222e; stroke-dasharray: 4 3; }
  .line { fill: none; stroke: #0969da; stroke-opacity: 0.55; stroke-width: 1.4; }
  .slow { fill: none; stroke: #bc4c00; stroke-width: 1.6; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .line { stroke: #58a6ff; }
    .slow { stroke: #f0883e; }
    .limit { stroke: #ff7b72; }
  }
</style>
${body.join('\n')}
<text x="${margin.left}" y="${height - 8}">Execution time of the statement in ms over submissions of the tenant. Dashed: ${limitMs} ms. Names of the lines are tooltips.</text>
</svg>
`;
}

interface Scales {
  least: number;
  most: number;
  limitMs: number;
}

function panelSvg({ title, lines }: Panel, { least, most, limitMs }: Scales): string {
  const [right, bottom] = [panelWidth - margin.right, panelHeight - margin.bottom];
  const range = Math.log10(most) - Math.log10(least);
  const x = (rows: number) =>
    margin.left +
    (range === 0 ? 0.5 : (Math.log10(rows) - Math.log10(least)) / range) * (right - margin.left);
  const y = (ms: number) => {
    const share = (Math.log10(ms) - decades.from) / (decades.to - decades.from);
    return bottom - Math.min(1, Math.max(0, share)) * (bottom - margin.top);
  };
  const at = (value: number) => value.toFixed(1);
  const grid: string[] = [];
  for (let decade = decades.from; decade <= decades.to; decade += 2) {
    const level = at(y(10 ** decade));
    grid.push(
      `<line class="grid" x1="${margin.left}" x2="${right}" y1="${level}" y2="${level}"/>`,
      `<text x="${margin.left - 6}" y="${level}" text-anchor="end" dominant-baseline="middle">${10 ** decade}</text>`,
    );
  }
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ rows }) => rows)))];
  for (const rows of sizes)
    grid.push(`<text x="${at(x(rows))}" y="${bottom + 16}" text-anchor="middle">${short(rows)}</text>`);
  const drawn = lines.flatMap(({ name, points }) => {
    const known = points.filter((point): point is { rows: number; ms: number } => point.ms !== null);
    const last = known.at(-1);
    if (last === undefined) return [];
    const path = known
      .map(({ rows, ms }, n) => `${n === 0 ? 'M' : 'L'}${at(x(rows))} ${at(y(ms))}`)
      .join(' ');
    const kind = last.ms > limitMs ? 'slow' : 'line';
    const dot = known.length === 1 ? 'h0.1' : '';
    return [
      `<path class="${kind}" stroke-linecap="round" d="${path}${dot}"><title>${escaped(name)}</title></path>`,
    ];
  });
  const limit = at(y(limitMs));
  return [
    `<text class="title" x="${margin.left}" y="18">${escaped(title)}</text>`,
    ...grid,
    `<line class="limit" x1="${margin.left}" x2="${right}" y1="${limit}" y2="${limit}"/>`,
    ...drawn,
  ].join('\n');
}

const short = (rows: number): string =>
  rows >= 1_000_000 ? `${rows / 1_000_000} M` : rows >= 1_000 ? `${rows / 1_000} k` : String(rows);

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);
