/** The submissions of the demonstration tenant: 30 days that end at a given time. The same input gives the same. */
import { createRandom, type Random } from '@canvass/testing';
import { makePeople, type Person } from './people';
import { answersTo, demoForms, type DemoForm } from './tenant-forms';

const day = 86_400_000;

export interface DemoSubmission {
  form: DemoForm;
  /** Null for an anonymous one. */
  person: Person | null;
  startedAt: Date;
  /** Null unless complete. */
  completedAt: Date | null;
  collectionStatus: 'not_started' | 'in_progress' | 'complete' | 'screen_out';
  status: 'new' | 'read' | 'approved' | 'declined';
  currentPage: number;
  answers: Record<string, unknown>;
}

export interface DemoYield {
  people: Person[];
  /** The oldest first. */
  submissions: DemoSubmission[];
}

interface DemoOptions {
  /** The number of submissions. */
  count: number;
  /** The time that no submission is newer than. */
  until: Date;
  /** Values of data lists, by the name of the list. */
  values: Readonly<Record<string, readonly string[]>>;
}

/** Invents respondents and their submissions. A person answers a form with `limitOnePerUser` once. */
export function makeSubmissions({ count, until, values }: DemoOptions): DemoYield {
  const random = createRandom('canvass demo');
  const people = makePeople(random, Math.ceil(count * 0.3), until.getTime().toString(36));
  // Those who have not answered a form with `limitOnePerUser` yet, by form.
  const left = new Map(demoForms.map((form) => [form, random.shuffled(people)]));
  const submissions = timesUntil(random, until, count).map((startedAt): DemoSubmission => {
    const form = formOf(random, left);
    const isIdentified = random.chance(form.identified);
    const person = !isIdentified ? null : form.limitOnePerUser ? left.get(form)!.pop()! : random.pick(people);
    const pages = form.definition.pages.length;
    const collectionStatus = collectionOf(random);
    const answered = { complete: pages, in_progress: 1, screen_out: 1, not_started: 0 }[collectionStatus];
    const completedAt = new Date(startedAt.getTime() + random.between(60, 540) * 1000);
    const isComplete = collectionStatus === 'complete';
    return {
      form,
      person,
      startedAt,
      completedAt: isComplete ? completedAt : null,
      collectionStatus,
      status: isComplete ? reviewOf(random, until.getTime() - startedAt.getTime()) : 'new',
      currentPage: Math.max(0, answered - 1),
      answers: answersTo(form, answered, { random, person, at: startedAt, values }),
    };
  });
  return { people, submissions };
}

/** A form by its weight, unless all people have answered it. */
function formOf(random: Random, left: ReadonlyMap<DemoForm, Person[]>): DemoForm {
  let at = random.next() * demoForms.reduce((sum, { weight }) => sum + weight, 0);
  const found = demoForms.find(({ weight }) => (at -= weight) < 0)!;
  return found.limitOnePerUser && left.get(found)!.length === 0 ? demoForms[0]! : found;
}

function collectionOf(random: Random): DemoSubmission['collectionStatus'] {
  const at = random.next();
  if (at < 0.83) return 'complete';
  if (at < 0.94) return 'in_progress';
  return at < 0.97 ? 'screen_out' : 'not_started';
}

/** The older, the more have been reviewed. */
function reviewOf(random: Random, ageMs: number): DemoSubmission['status'] {
  if (random.chance(Math.exp(-ageMs / (4 * day)))) return 'new';
  const at = random.next();
  if (at < 0.5) return 'approved';
  return at < 0.92 ? 'read' : 'declined';
}

/** Times of 30 days in their order: few at night, fewer at weekends, and more from week to week. */
function timesUntil(random: Random, until: Date, count: number): Date[] {
  // The last ten minutes stay free: a submission takes up to nine.
  const end = until.getTime() - 600_000;
  const times: number[] = [];
  while (times.length < count) {
    const age = random.next() * 30 * day;
    const at = new Date(end - age);
    const hour = at.getUTCHours() + at.getUTCMinutes() / 60;
    const byHour = 0.08 + 0.92 * Math.max(0, Math.sin(((hour - 5) / 17) * Math.PI));
    const byWeekday = at.getUTCDay() % 6 === 0 ? 0.45 : 1;
    const byAge = 1 - (0.5 * age) / (30 * day);
    if (random.chance(byHour * byWeekday * byAge)) times.push(at.getTime());
  }
  return times.sort((one, other) => one - other).map((time) => new Date(time));
}
