import { setImmediate as nextTurn } from 'node:timers/promises';
import { submissionBodies, submissionSettingsSchema } from '../submissions';
import { readPeople } from './people-file';

describe('a file of 20,000 people', () => {
  const { invited } = submissionBodies(submissionSettingsSchema.validate({}).value!);
  const numbers = Array.from({ length: 20_000 }, (_, at) => at);
  const csv = [
    'externalSubjectId,displayId,answers.city',
    ...numbers.map((at) => `p-${at},Person ${at},City ${at % 100}`),
  ];
  const ndjson = numbers.map((at) =>
    JSON.stringify({
      submitter: { externalSubjectId: `p-${at}`, displayId: `Person ${at}` },
      jsonData: JSON.stringify({ city: `City ${at % 100}` }),
    }),
  );

  it.each([
    ['csv', csv],
    ['ndjson', ndjson],
  ] as const)('is read as %s while other requests get their turn', async (format, lines) => {
    let turns = 0;
    let isRead = false;
    const others = (async () => {
      while (!isRead) {
        await nextTurn();
        turns += 1;
      }
    })();
    const people = await readPeople(Buffer.from(lines.join('\n')), format, invited);
    isRead = true;
    await others;
    expect(people).toHaveLength(20_000);
    expect(people[19_999]).toEqual({
      submitter: { externalSubjectId: 'p-19999', displayId: 'Person 19999' },
      jsonData: '{"city":"City 99"}',
    });
    expect(turns).toBeGreaterThan(190);
  });

  it('keeps values with quotes, line breaks and rare characters, wherever a piece of the file ends', async () => {
    const city = (at: number) => `City "${at}",\r\n🌍🌍🌍 ü`;
    const rows = numbers.map((at) => `p-${at},Person ${at},"${city(at).replaceAll('"', '""')}"`);
    const people = await readPeople(Buffer.from([csv[0], ...rows].join('\r\n')), 'csv', invited);
    expect(people.map(({ jsonData }) => jsonData)).toEqual(
      numbers.map((at) => JSON.stringify({ city: city(at) })),
    );
  });

  it('is refused with the lines of its faults, wherever they are', async () => {
    const lines = csv
      .with(15_000, 'p-1,Ada,Oslo')
      .with(15_001, 'p-x,Ada,Oslo,Bergen')
      .with(19_000, ',Ada,Oslo');
    await expect(readPeople(Buffer.from(lines.join('\n')), 'csv', invited)).rejects.toMatchObject({
      extra: {
        faults: [expect.objectContaining({ line: 15_002, code: 'row_invalid' })],
      },
    });
    lines[15_001] = 'p-x,Ada,Oslo';
    await expect(readPeople(Buffer.from(lines.join('\n')), 'csv', invited)).rejects.toMatchObject({
      extra: {
        faults: [
          expect.objectContaining({ line: 15_001, code: 'person_repeated' }),
          expect.objectContaining({
            line: 19_001,
            code: 'person_invalid',
            field: 'submitter.externalSubjectId',
          }),
        ],
      },
    });
  });
});
