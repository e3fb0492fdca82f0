import type { EventEnvelope, WebhookEventKind } from '@canvass/contracts';

/** One member of a JSON object: its name, and where `"name":value` and the value are. */
interface Member {
  name: string;
  start: number;
  valueStart: number;
  end: number;
}

/** An event whose `data` is still bytes. */
export interface RawEvent {
  /** Everything but `data`; not validated. */
  head: Record<string, unknown>;
  data: Buffer;
}

/** Members of an entity that no webhook shows. */
const hidden = new Set(['token', 'webHookSettingsJson']);

/**
 * Splits the body of an event into its head and the bytes of `data`, so that a large submission is neither
 * parsed nor serialised.
 *
 * @throws {SyntaxError} if the body is not a JSON object with a member `data`
 */
export function splitEvent(body: Buffer): RawEvent {
  const data = membersOf(body).find(({ name }) => name === 'data');
  if (!data) throw new SyntaxError('it has no data');
  const { valueStart, end } = data;
  const head = JSON.parse(
    `${body.toString('utf8', 0, valueStart)}null${body.toString('utf8', end)}`,
  ) as Record<string, unknown>;
  delete head['data'];
  return { head, data: body.subarray(valueStart, end) };
}

/**
 * The bytes of the webhook request, in pieces, made once and sent with every attempt: the entity as the API
 * shows it, after the ids that the specification requires (`formId` for form events; `submissionId` and
 * `formId` for submission events; `submitterId` for those of a respondent). The members of `data` are taken
 * as they are, without a copy, except those that no webhook shows and those that repeat the ids.
 *
 * @param answersText JSON of the answers as people read them, if an endpoint wants them
 * @throws {SyntaxError} if `data` is not a JSON object
 */
export function messageBody(
  { id, tenantId, entityId, formId, revision }: Omit<EventEnvelope, 'data'>,
  kind: WebhookEventKind,
  data: Buffer,
  answersText: string | null = null,
): Buffer[] {
  const ids = {
    form: { formId: entityId },
    submission: { submissionId: entityId, formId },
    submitter: { submitterId: entityId },
  };
  const fixed = { ...ids[kind.entity], tenantId, revision };
  const shown = membersOf(data).filter(({ name }) => !hidden.has(name) && !Object.hasOwn(fixed, name));
  const message = { Id: id, EventName: kind.eventName, Action: kind.action, Payload: fixed };
  return [
    Buffer.from(JSON.stringify(message).slice(0, -2)),
    ...shown.flatMap(({ start, end }) => [comma, data.subarray(start, end)]),
    Buffer.from(answersText === null ? '}}' : `,"${textsMember}":${answersText}}}`),
  ];
}

/** The last member of `Payload` where an endpoint of the event wants it. */
export const textsMember = 'answersText';

const comma = Buffer.from(',');

const [quote, backslash, commaByte, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * The members of a JSON object, in their order. Nested values are skipped by their brackets and strings;
 * their text is not checked further, because Postgres has stored it as JSON.
 */
export function membersOf(json: Buffer): Member[] {
  const members: Member[] = [];
  let at = expect(json, skipSpace(json, 0), openBrace);
  at = skipSpace(json, at);
  if (json[at] === closeBrace) {
    expectEnd(json, at + 1);
    return members;
  }
  for (;;) {
    const start = skipSpace(json, at);
    const nameEnd = skipString(json, start);
    const valueStart = skipSpace(json, expect(json, skipSpace(json, nameEnd), colon));
    const end = skipValue(json, valueStart);
    members.push({ name: nameIn(json, start, nameEnd), start, valueStart, end });
    at = skipSpace(json, end);
    if (json[at] === closeBrace) break;
    at = expect(json, at, commaByte);
  }
  expectEnd(json, at + 1);
  return members;
}

/** Nearly all names are plain words, which need no parser. */
function nameIn(json: Buffer, start: number, end: number): string {
  const word = json.toString('latin1', start + 1, end - 1);
  return /^\w*$/.test(word) ? word : (JSON.parse(json.toString('utf8', start, end)) as string);
}

function skipValue(json: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at]!;
    if (byte === quote) {
      at = skipString(json, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) break; // the object around a number or literal
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === commaByte || isSpace(byte))) break;
    at += 1;
  }
  if (depth > 0 || at === start) throw new SyntaxError('it is not JSON');
  JSON.parse(json.toString('utf8', start, at)); // a number or a literal
  return at;
}

/** Searches for the quote natively: a string may be a photo of a megabyte. */
function skipString(json: Buffer, start: number): number {
  expect(json, start, quote);
  for (let end = json.indexOf(quote, start + 1); end !== -1; end = json.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  throw new SyntaxError('it is not JSON');
}

function skipSpace(json: Buffer, start: number): number {
  let at = start;
  while (isSpace(json[at])) at += 1;
  return at;
}

function expect(json: Buffer, at: number, byte: number): number {
  if (json[at] !== byte) throw new SyntaxError('it is not JSON');
  return at + 1;
}

function expectEnd(json: Buffer, at: number): void {
  if (skipSpace(json, at) !== json.length) throw new SyntaxError('it is not JSON');
}
