import type { Random } from '@canvass/testing';
import { oddNumbers, oddTexts, rawTokens } from './odd-values';

/** Stands for a token that `JSON.stringify` cannot write, until the text is made. */
const placeholder = (n: number): string => `\u0007raw${n}\u0007`;

/** JSON text of a value with one thing in it changed, or of something else altogether. Lone surrogates are escaped. */
export function mutatedJson(value: unknown, random: Random): string {
  const copy = { root: structuredClone(value) };
  const places = placesIn(copy);
  const place = random.pick(places);
  const holder = place.holder as Record<string, unknown>;
  const inObject = place.holder !== copy && !Array.isArray(place.holder);
  const kind = random.between(0, 9);
  if (kind === 0 && inObject) delete holder[place.key];
  else if (kind === 1 && typeof holder[place.key] === 'object' && holder[place.key] !== null)
    addMember(holder[place.key] as object, random.pick(oddTexts), oddValue(random));
  else if (kind === 2) holder[place.key] = placeholder(random.between(0, rawTokens.length - 1));
  else if (kind === 3 && inObject) return twice(copy.root, place.key, oddValue(random));
  else if (kind === 4) holder[place.key] = random.pick(oddTexts);
  else if (kind === 5) holder[place.key] = random.pick(oddNumbers);
  else if (kind === 6 && Array.isArray(holder[place.key]))
    holder[place.key] = Array.from({ length: random.pick([101, 2_001]) }, () => random.pick([null, 'a', 1]));
  else holder[place.key] = oddValue(random);
  return textOf(copy.root);
}

/** Bytes in the place of a JSON text: cut, with more behind it, in another encoding, or nothing like it. */
export function brokenJson(json: string, random: Random): Buffer {
  const text = (of: string) => Buffer.from(of);
  const forms: (() => Buffer)[] = [
    () => text(json.slice(0, Math.floor(json.length * random.next()))),
    () => text(`${json}x`),
    () => text(`${json}${json}`),
    () => text(''),
    () => text(' \n'),
    () => text('\u0000'),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text(json)]),
    () => Buffer.from(json, 'utf16le'),
    () => Buffer.concat([text(json.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
    () => text('['.repeat(100_000)),
    () => text(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
    () => text('{"a"=1&b=2'),
    () => Buffer.alloc(2_000_000, 0x20),
  ];
  return random.pick(forms)();
}

/** Text of a value in which placeholders become their tokens. */
const textOf = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(
    /"\\u0007raw(\d+)\\u0007"/g,
    (_all, n: string) => rawTokens[Number(n)]!,
  );

interface Place {
  holder: object;
  key: string;
}

/** Every member and element, the whole among them. */
function placesIn(holder: object, depth = 0): Place[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder, key },
    ...(typeof value === 'object' && value !== null && depth < 8 ? placesIn(value as object, depth + 1) : []),
  ]);
}

/** A member of any name: `__proto__` too. */
function addMember(to: object, name: string, value: unknown): void {
  Object.defineProperty(to, name, { value, enumerable: true, configurable: true, writable: true });
}

/** An object whose first member of that name has a brother of the same name. */
const twice = (root: unknown, name: string, value: unknown): string =>
  textOf(root).replace(`${JSON.stringify(name)}:`, (found) => `${found}${textOf(value)},${found}`);

/** Anything at all, whatever is expected. */
function oddValue(random: Random): unknown {
  switch (random.between(0, 9)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
    case 3:
      return random.pick(oddNumbers);
    case 4:
    case 5:
      return random.pick(oddTexts);
    case 6:
      return [];
    case 7:
      return {};
    case 8: {
      const named = {};
      addMember(named, random.pick(oddTexts), random.pick<unknown>([null, 1, 'a', [], {}]));
      return named;
    }
    default:
      return nested(random.pick([5, 63, 65, 1_000]), random.chance(0.5));
  }
}

/** Lists within lists, or objects within objects. */
function nested(levels: number, lists: boolean): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level += 1) value = lists ? [value] : { a: value };
  return value;
}
