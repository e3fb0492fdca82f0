/** The forms of the demonstration tenant, and answers to their questions. */
import type { Random } from '@canvass/testing';
import { dataFile } from './data-file';
import type { Person } from './people';

/** A form as `data/forms.json` describes it. Its questions name data lists by their names. */
export interface DemoForm {
  name: string;
  description: string;
  /** Days from its creation to the newest submission. */
  ageDays: number;
  /** The share of all submissions, in percent. */
  weight: number;
  /** The share of submissions by identified respondents, from 0 to 1. */
  identified: number;
  limitOnePerUser: boolean;
  /** Names of the data lists that it reads. */
  lists: string[];
  /** The receivers of its webhooks, by path. */
  webhooks: string[];
  /** Texts for its questions with free text. */
  comments: string[];
  definition: { title: unknown; pages: { name: string; elements: Question[] }[] };
}

interface Question {
  type: string;
  name: string;
  inputType?: string;
  dataList?: string;
  choices?: (string | { value: string })[];
  rows?: string[];
  columns?: string[];
  min?: number;
  max?: number;
  rateMin?: number;
  rateMax?: number;
}

export const demoForms = JSON.parse(dataFile('forms.json')) as DemoForm[];

/** The definition for the API: with ids of data lists in place of their names. */
export function definitionOf(form: DemoForm, listIds: Readonly<Record<string, string>>): object {
  return JSON.parse(JSON.stringify(form.definition), (key, value: unknown) =>
    key === 'dataList' ? listIds[value as string] : value,
  ) as object;
}

/** The facts that an answer depends on beside its question. */
export interface AnswerContext {
  random: Random;
  /** Null for an anonymous respondent. */
  person: Person | null;
  at: Date;
  /** Values of data lists, by the name of the list. */
  values: Readonly<Record<string, readonly string[]>>;
}

/** Answers to the first pages of a form, by the names of the questions. Some questions stay without one. */
export function answersTo(form: DemoForm, pages: number, context: AnswerContext): Record<string, unknown> {
  const asked = form.definition.pages.slice(0, pages).flatMap(({ elements }) => elements);
  const given = asked.map((question) => [question.name, answerTo(question, form, context)] as const);
  return Object.fromEntries(given.filter(([, answer]) => answer !== undefined));
}

function answerTo(question: Question, form: DemoForm, context: AnswerContext): unknown {
  const { random, person, at } = context;
  switch (question.type) {
    case 'rating':
      return high(random, question.rateMin ?? 1, question.rateMax ?? 5);
    case 'boolean':
      return random.chance(0.7);
    case 'matrix':
      return Object.fromEntries(
        question.rows!.map((row) => [row, question.columns![high(random, 0, question.columns!.length - 1)]]),
      );
    case 'checkbox':
      return random.shuffled(choicesOf(question)).slice(0, random.between(1, 3));
    case 'radiogroup':
      return random.pick(choicesOf(question));
    case 'comment':
      return random.chance(0.35) ? random.pick(form.comments) : undefined;
    case 'dropdown':
      return question.dataList === 'Countries' && person !== null
        ? person.country
        : random.pick(context.values[question.dataList!]!);
    default:
      return textFor(question, random, person, at);
  }
}

const choicesOf = ({ choices = [] }: Question) =>
  choices.map((choice) => (typeof choice === 'string' ? choice : choice.value));

/** Most people are content: the upper values are more frequent. */
const high = (random: Random, low: number, top: number) =>
  Math.max(random.between(low, top), random.between(low, top));

function textFor(question: Question, random: Random, person: Person | null, at: Date): unknown {
  if (question.inputType === 'number') return random.between(question.min ?? 0, question.max ?? 100);
  if (question.inputType === 'date')
    return new Date(at.getTime() - random.between(0, 2) * 86_400_000).toISOString().slice(0, 10);
  return question.inputType === 'email' ? person?.email : person?.displayId;
}
