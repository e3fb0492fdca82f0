import type { WebhookFormat, WebhookPayload } from '@canvass/contracts';
import { membersOf, textsMember } from './event-bytes';

/** What an endpoint gets of a message. */
export interface BodyShape {
  payload: WebhookPayload;
  format: WebhookFormat;
}

/** The head of the message. */
interface MessageHead {
  eventName: string;
  /** Time of the change, milliseconds since 1970. */
  occurredAt: number;
}

const quotedTexts = Buffer.from(`"${textsMember}"`);

/** What `ids` keeps of the payload. */
const idMembers = new Set(['formId', 'submissionId', 'submitterId', 'tenantId', 'revision', 'isTestEvent']);

/**
 * The bytes of a request: the stored message in the shape that its endpoint wants. The same message and shape
 * give the same bytes.
 */
export function requestBody(stored: Buffer, { payload, format }: BodyShape, head: MessageHead): Buffer {
  const hasTexts = stored.includes(quotedTexts);
  const isWhole = payload === 'answersText' || (payload === 'full' && !hasTexts);
  if (isWhole && format === 'canvass') return stored;
  const members = membersOf(stored);
  const { valueStart, end } = members.find(({ name }) => name === 'Payload')!;
  const entity = isWhole
    ? stored.subarray(valueStart, end)
    : picked(stored.subarray(valueStart, end), (name) =>
        payload === 'ids' ? idMembers.has(name) : name !== textsMember,
      );
  if (format === 'canvass')
    return Buffer.concat([stored.subarray(0, valueStart), entity, stored.subarray(end)]);
  const start = {
    type: head.eventName.replace('_', '.'),
    timestamp: new Date(head.occurredAt).toISOString(),
  };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(start).slice(0, -1)},"data":`),
    entity,
    Buffer.from('}'),
  ]);
}

function picked(entity: Buffer, isKept: (name: string) => boolean): Buffer {
  const kept = membersOf(entity).filter(({ name }) => isKept(name));
  const parts = kept.flatMap(({ start, end }, n) => [
    Buffer.from(n === 0 ? '' : ','),
    entity.subarray(start, end),
  ]);
  return Buffer.concat([Buffer.from('{'), ...parts, Buffer.from('}')]);
}
