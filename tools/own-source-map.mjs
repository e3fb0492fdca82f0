const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * A source map (version 3) without the texts of its sources and without what it says of packages. Node keeps all of a
 * map in memory from the first stack trace on: of a bundled service that is 60 MB with its packages, and a few without.
 *
 * @param {{ sources: string[], names: string[], mappings: string, sourcesContent?: string[] }} map
 */
export function ownSourceMap({ sourcesContent: _, ...map }) {
  const own = map.sources.map((source) => !/(^|\/)node_modules\//.test(source));
  // Source, line, column and name count from the segment before, in the map that is read and in the one that is written.
  const read = [0, 0, 0, 0];
  const written = [0, 0, 0, 0];
  let unmapped = true;
  const lines = map.mappings.split(';').map((line) => {
    const segments = [];
    let [column, writtenColumn] = [0, 0];
    for (const segment of line === '' ? [] : line.split(',')) {
      const fields = decoded(segment);
      column += fields[0];
      for (let at = 1; at < fields.length; at++) read[at - 1] += fields[at];
      const keep = fields.length > 1 && own[read[0]];
      // One segment without a source says that nothing from there on has one, until the next that has.
      if (!keep && unmapped) continue;
      unmapped = !keep;
      const told = [column - writtenColumn];
      writtenColumn = column;
      for (let at = 0; keep && at < fields.length - 1; at++) {
        told.push(read[at] - written[at]);
        written[at] = read[at];
      }
      segments.push(told.map(encoded).join(''));
    }
    return segments.join(',');
  });
  return { ...map, mappings: lines.join(';') };
}

/** Base64 VLQ: five bits a digit, the least first, a sixth says that more follow; the sign is the lowest bit. */
function decoded(segment) {
  const fields = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = digits.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    fields.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return fields;
}

function encoded(value) {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const bits = rest & 31;
    rest >>>= 5;
    text += digits[rest > 0 ? bits | 32 : bits];
  } while (rest > 0);
  return text;
}
