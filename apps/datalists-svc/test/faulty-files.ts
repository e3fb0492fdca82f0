/**
 * Files of any number of lines with faults of all kinds that do not end the reading, evenly over the file.
 * Lines are made when they are sent: a file of a million lines is never in memory.
 */

/** An error that the service has to find. */
export interface ExpectedFault {
  line: number;
  code: string;
}

export interface FaultyFile {
  type: 'text/csv' | 'application/x-ndjson';
  body: ReadableStream<Uint8Array>;
  /** Complete when the body was read. */
  expected: ExpectedFault[];
}

/** A faulty line by its number. */
type FaultyLine = readonly [code: string, lineOf: (n: number) => string];

const long = 'x'.repeat(501);
const csvLines: readonly FaultyLine[] = [
  ['value_missing', () => ',A,,'],
  ['default_missing', (n) => `f${n},,,`],
  ['value_too_long', (n) => `${n}${long},A,,`],
  ['label_too_long', (n) => `f${n},${long},,`],
  ['cell_count', (n) => `f${n},A`],
  ['line_blank', () => ''],
  ['quote_in_cell', (n) => `f${n},5" pipe,,`],
  ['text_after_quote', (n) => `f${n},"A"x,,`],
  ['value_repeated', () => 'first,A,,'],
  ['value_with_nul', (n) => `f${n}\0,A,,`],
  ['label_with_nul', (n) => `f${n},A\0,,`],
  ['value_not_decoded', (n) => `f${n}\ufffd,A,,`],
  ['label_not_decoded', (n) => `f${n},A\ufffd,,`],
];

const json = (value: unknown, labels: unknown, more = {}) => JSON.stringify({ value, labels, ...more });
const A = { default: 'A' };
const ndjsonLines: readonly FaultyLine[] = [
  ['json_invalid', () => '{"value":'],
  ['item_not_object', () => '[]'],
  ['member_unknown', (n) => json(`f${n}`, A, { more: 1 })],
  ['value_not_text', () => json(1, A)],
  ['labels_not_object', (n) => json(`f${n}`, 'A')],
  ['label_repeated', (n) => json(`f${n}`, { ...A, NL: 'x', nl: 'y' })],
  ['label_not_text', (n) => json(`f${n}`, { default: 1 })],
  ['value_with_half_pair', (n) => `{"value":"f${n}\\ud800","labels":{"default":"A"}}`],
  ['label_with_half_pair', (n) => `{"value":"f${n}","labels":{"default":"\\ud800"}}`],
  ['value_missing', () => json('', A)],
  ['value_repeated', () => json('first', A)],
  ['value_too_long', (n) => json(`${n}${long}`, A)],
  ['value_with_nul', (n) => json(`f${n}\0`, A)],
  ['default_missing', (n) => json(`f${n}`, {})],
  ['label_too_long', (n) => json(`f${n}`, { default: long })],
  ['label_with_nul', (n) => json(`f${n}`, { default: 'A\0' })],
];

/** A CSV file; its header has an unknown locale, and its last row a quote that is not closed. */
export const faultyCsv = (lines: number, faults: number): FaultyFile =>
  faultyFile('text/csv', lines, faults, {
    head: 'value,default,nl,xx',
    headFaults: ['locale_unknown'],
    first: 'first,A,,',
    good: (n) => `v${n},Label ${n},Label nl ${n},`,
    faulty: csvLines,
    end: ['quote_not_closed', 'j,"J'],
  });

/** An NDJSON file, whose last line is too long. */
export const faultyNdjson = (lines: number, faults: number): FaultyFile =>
  faultyFile('application/x-ndjson', lines, faults, {
    first: json('first', A),
    good: (n) => json(`v${n}`, { default: `Label ${n}`, nl: `Label nl ${n}` }),
    faulty: ndjsonLines,
    end: ['line_too_long', 'x'.repeat(1_200_000)],
  });

interface Parts {
  head?: string;
  headFaults?: string[];
  first: string;
  good(n: number): string;
  faulty: readonly FaultyLine[];
  end: readonly [code: string, text: string];
}

function faultyFile(type: FaultyFile['type'], lines: number, faults: number, parts: Parts): FaultyFile {
  const { head, headFaults = [], first, good, faulty, end } = parts;
  const expected: ExpectedFault[] = headFaults.map((code) => ({ line: 1, code }));
  const inRows = faults - headFaults.length - 1;
  function* texts(): Generator<string> {
    let line = 0;
    if (head !== undefined) yield ((line += 1), head);
    yield ((line += 1), first);
    const rows = lines - line - 1;
    for (let row = 0, made = 0; row < rows; row += 1) {
      line += 1;
      // The faults so far are in proportion to the rows so far.
      if (made < Math.floor(((row + 1) * inRows) / rows)) {
        const [code, lineOf] = faulty[made % faulty.length]!;
        expected.push({ line, code });
        made += 1;
        yield lineOf(row);
      } else yield good(row);
    }
    expected.push({ line: line + 1, code: end[0] });
    yield end[1];
  }
  return { type, expected, body: streamOf(texts()) };
}

/** Lines in pieces of about 64 KB, made as fast as they are read. */
function streamOf(lines: Generator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      let piece = '';
      while (piece.length < 65_536) {
        const { value, done } = lines.next();
        if (done) {
          controller.enqueue(Buffer.from(piece));
          return controller.close();
        }
        piece += `${value}\n`;
      }
      controller.enqueue(Buffer.from(piece));
    },
  });
}
