import { archiveOf, formIdsOf, untilOf } from './archive';
import { makeSubmissions, type DemoSubmission, type DemoYield } from './submissions';
import { dataFile } from './data-file';
import { definitionOf, demoForms } from './tenant-forms';

const until = new Date('2026-11-20T12:00:00.000Z');
const values = { Countries: ['AT', 'CL'], Cities: ['graz', 'oslo'] };
const listIds = { Countries: '11', Cities: '12' };
const made = (count = 2_000): DemoYield => makeSubmissions({ count, until, values });

const archived = ({ people, submissions }: DemoYield): string =>
  archiveOf({ tenantId: '7', until, listIds, forms: demoForms, people, submissions });

describe('the demonstration data', () => {
  const { people, submissions } = made();

  it('is the same for the same input, and has other people for another time', () => {
    expect(archived(made())).toBe(archived({ people, submissions }));
    const later = makeSubmissions({ count: 10, until: new Date(until.getTime() + 1000), values });
    expect(later.people[0]!.externalSubjectId).not.toBe(people[0]!.externalSubjectId);
  });

  it('lies in the 30 days before, in order, with days and nights', () => {
    const times = submissions.map(({ startedAt }) => startedAt.getTime());
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(until.getTime() - times[0]!).toBeLessThan(30.01 * 86_400_000);
    expect(until.getTime() - times[0]!).toBeGreaterThan(28 * 86_400_000);
    for (const { startedAt, completedAt } of submissions) {
      if (completedAt === null) continue;
      expect(completedAt.getTime()).toBeGreaterThan(startedAt.getTime());
      expect(completedAt.getTime()).toBeLessThanOrEqual(until.getTime());
    }
    const at = (from: number, to: number) =>
      submissions.filter(({ startedAt }) => startedAt.getUTCHours() >= from && startedAt.getUTCHours() < to);
    expect(at(11, 16).length).toBeGreaterThan(4 * at(0, 5).length);
  });

  it('has all forms, states and kinds of respondents', () => {
    const kinds = (keyOf: (submission: DemoSubmission) => string) =>
      [...new Set(submissions.map(keyOf))].sort();
    expect(kinds(({ form }) => form.name)).toEqual(demoForms.map(({ name }) => name).sort());
    expect(kinds(({ status }) => status)).toEqual(['approved', 'declined', 'new', 'read']);
    const collections = ['complete', 'in_progress', 'not_started', 'screen_out'];
    expect(kinds((own) => own.collectionStatus)).toEqual(collections);
    const identified = submissions.filter(({ person }) => person !== null).length;
    expect(identified).toBeGreaterThan(900);
    expect(identified).toBeLessThan(1_700);
  });

  it('has one submission of each person on a form with limitOnePerUser', () => {
    const limited = submissions.filter(({ form }) => form.limitOnePerUser);
    expect(limited.length).toBeGreaterThan(300);
    expect(new Set(limited.map(({ person }) => person)).size).toBe(limited.length);
  });

  it('answers the questions of the form, with values that exist', () => {
    for (const { form, answers } of submissions) {
      const questions = form.definition.pages.flatMap(({ elements }) => elements);
      const named = new Map(questions.map((question) => [question.name, question]));
      for (const [name, answer] of Object.entries(answers)) {
        const question = named.get(name)!;
        const allowed = question.dataList === 'Cities' ? values.Cities : null;
        expect(answer).toBeDefined();
        if (allowed !== null) expect(allowed).toContain(answer);
        if (question.type === 'matrix') expect(Object.keys(answer as object)).toEqual(question.rows);
      }
    }
    const whole = submissions.find(({ form, completedAt }) => form === demoForms[0] && completedAt !== null)!;
    expect(whole.answers).toMatchObject({
      country: expect.any(String) as string,
      overall: expect.any(Number) as number,
      aspects: { price: expect.any(String) as string },
    });
  });
});

describe('its archive', () => {
  const lines = archived(made())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const rows = (table: string) => lines.filter((line) => line.table === table).map(({ row }) => row!);

  it('has unique ids, and parents of all children', () => {
    for (const table of ['forms', 'submitters', 'submissions']) {
      const ids = rows(table).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const [formIds, submitterIds] = [rows('forms'), rows('submitters')].map(
      (own) => new Set(own.map(({ id }) => id)),
    );
    for (const { form_id: form, submitter_id: submitter } of rows('submissions')) {
      expect(formIds!.has(form)).toBe(true);
      expect(submitter === null || submitterIds!.has(submitter)).toBe(true);
    }
  });

  it('names the columns of its rows', () => {
    const { tables } = lines[0] as unknown as { tables: Record<string, string[]> };
    for (const [table, columns] of Object.entries(tables))
      for (const row of rows(table)) expect(Object.keys(row)).toEqual(columns);
  });

  it('gives the same ids again when only the form is known', () => {
    const form = rows('forms')[0]!;
    const again = untilOf(demoForms[0]!, form['created_at'] as string);
    expect(again).toEqual(until);
    expect(formIdsOf(demoForms, again)[demoForms[0]!.name]).toBe(form.id);
  });
});

interface Line {
  table?: string;
  row?: Record<string, unknown>;
}

it('names data lists by their ids in definitions', () => {
  expect(JSON.stringify(definitionOf(demoForms[0]!, listIds))).toContain('"dataList":"11"');
});

it('has cities with unique values and as many cells as columns', () => {
  const [header, ...cities] = dataFile('cities.csv').trim().split('\n');
  for (const city of cities) expect(city.split(',')).toHaveLength(header!.split(',').length);
  expect(new Set(cities.map((city) => city.split(',')[0])).size).toBe(cities.length);
});
