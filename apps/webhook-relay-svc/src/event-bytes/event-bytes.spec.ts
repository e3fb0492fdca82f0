import { webhookEvents } from '@canvass/contracts';
import { messageBody, splitEvent } from './event-bytes';

const head = {
  id: '9',
  type: 'submission.completed' as const,
  schemaVersion: 1 as const,
  tenantId: '1',
  entity: 'submission' as const,
  entityId: '7',
  formId: '3',
  revision: '2',
  occurredAt: '2026-11-20T12:00:00.000Z',
  settings: null,
  traceparent: null,
};
const kind = webhookEvents['submission.completed'];
const bodyOf = (data: string) => Buffer.concat(messageBody(head, kind, Buffer.from(data))).toString();
const payloadOf = (data: string) => (JSON.parse(bodyOf(data)) as { Payload: unknown }).Payload;

describe('splitEvent', () => {
  it.each([
    ['as the outbox writes it', (data: string) => `${JSON.stringify(head).slice(0, -1)},"data":${data}}`],
    ['with data first', (data: string) => `{"data":${data},${JSON.stringify(head).slice(1)}`],
    ['with space', (data: string) => ` {\n "data" :\t${data} , ${JSON.stringify(head).slice(1)}\r\n`],
  ])('gives the head and the bytes of data %s', (_name, event) => {
    const data = `{"data":{"a":"}\\"{"},"b":[1,{"c":"\\\\"}],"d":"😀\\ud800"}`;
    const split = splitEvent(Buffer.from(event(data)));
    expect(split.head).toEqual(head);
    expect(split.data.toString()).toBe(data);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"a":1}',
    '{"data":{}',
    '{"data":}',
    '{"data":{}} x',
    '{"data":tru}',
    '{"a":"x}',
    '{"data" {}}',
  ])('refuses %p', (text) => expect(() => splitEvent(Buffer.from(text))).toThrow(SyntaxError));
});

describe('messageBody', () => {
  it('puts the ids first and copies the other members as bytes', () => {
    const data = '{ "jsonData" : "{\\"q\\":1.0}", "n":1.50, "formId":"33", "last":null }';
    expect(bodyOf(data)).toBe(
      '{"Id":"9","EventName":"submission_completed","Action":"updated","Payload":{"submissionId":"7","formId":"3",' +
        '"tenantId":"1","revision":"2","jsonData" : "{\\"q\\":1.0}","n":1.50,"last":null}}',
    );
  });

  it('leaves out what no webhook shows, and what repeats the ids, however it is spelled', () => {
    const data = `{"token":"t","to\\u006ben":"u","webHookSettingsJson":{"a":1},"tenantId":"8","revision":"1","a":1}`;
    expect(payloadOf(data)).toEqual({ submissionId: '7', formId: '3', tenantId: '1', revision: '2', a: 1 });
  });

  it('takes data without members', () =>
    expect(payloadOf('{ }')).toEqual({ submissionId: '7', formId: '3', tenantId: '1', revision: '2' }));

  it.each(['[]', 'null', '"a"', '1'])('refuses data that is %s', (data) =>
    expect(() => payloadOf(data)).toThrow(SyntaxError),
  );

  it('is the message that parsing and serialising would give, for a large answer', () => {
    const data = {
      id: '7',
      jsonData: JSON.stringify({ photo: 'x"\\'.repeat(400_000) }),
      nested: [{ a: [] }],
    };
    expect(payloadOf(JSON.stringify(data))).toEqual({
      submissionId: '7',
      formId: '3',
      tenantId: '1',
      revision: '2',
      ...data,
    });
  });
});
