import type { DataListItem } from '@canvass/contracts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  SurveyModel,
  type QuestionDropdownModel,
  type QuestionTagboxModel,
  type Serializer,
} from 'survey-core';
import { newId, type Harness } from './harness';

interface ConnectOptions {
  baseUrl: string;
  formId: string;
  lists?: Record<string, string | { list: string; prefix: string }>;
  token?: (again: boolean) => string | Promise<string>;
  onError?: (error: Error) => void;
}

interface Adapter {
  connectDataLists(this: void, survey: SurveyModel, options: ConnectOptions): () => void;
  registerProperties(this: void, serializer: typeof Serializer): void;
}

/**
 * The adapter as a browser loads it: as text. `fetch` is the one it gets to see, and `Survey` if it was
 * loaded before.
 */
export function adapterOf(fetchThrough: typeof fetch, Survey?: { Serializer: typeof Serializer }): Adapter {
  const file = path.join(__dirname, '../../gateway/assets/canvass-surveyjs.js');
  const scope: { canvassSurveyjs?: Adapter; Survey?: typeof Survey } = { Survey };
  new Function('globalThis', 'fetch', readFileSync(file, 'utf8'))(scope, fetchThrough);
  return scope.canvassSurveyjs!;
}

export const loadAdapter = (fetchThrough: typeof fetch = fetch): Adapter['connectDataLists'] =>
  adapterOf(fetchThrough).connectDataLists;

export const surveyOf = (...elements: object[]): SurveyModel => new SurveyModel({ elements });

export const dropdown = (survey: SurveyModel, name: string): QuestionDropdownModel =>
  survey.getQuestionByName(name) as QuestionDropdownModel;
export const tagbox = (survey: SurveyModel, name: string): QuestionTagboxModel =>
  survey.getQuestionByName(name) as QuestionTagboxModel;

/** The texts that a respondent sees in the list of choices. */
export const shown = (question: QuestionDropdownModel): [unknown, string][] =>
  question.visibleChoices.map((item) => [item.value as unknown, item.text]);

/** The list of choices is scrolled to its end. */
export function scrollToEnd(question: QuestionDropdownModel): void {
  const target = Object.assign(new EventTarget(), { scrollHeight: 0, scrollTop: 0, offsetHeight: 0 });
  target.addEventListener('scroll', (event) => question.dropdownListModel.onScroll(event));
  target.dispatchEvent(new Event('scroll'));
}

/** XMLHttpRequest, as far as choicesByUrl uses it: Node has none. */
export class FetchedRequest {
  status = 0;
  statusText = '';
  response = '';
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  private url = '';
  private readonly headers: Record<string, string> = {};

  open(_method: string, url: string): void {
    this.url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  send(): void {
    fetch(this.url, { headers: this.headers }).then(
      async (reply) => {
        this.status = reply.status;
        this.response = await reply.text();
        this.onload?.();
      },
      () => this.onerror?.(),
    );
  }
}

const item = (value: string, label: string, labels: Record<string, string> = {}): DataListItem => ({
  value,
  labels: { default: label, ...labels },
});

const countries = [
  item('DE', 'Germany', { de: 'Deutschland', 'nl-be': 'Duutsland' }),
  item('AT', 'Austria', { de: 'Österreich' }),
  item('KR', 'Korea, South', { de: 'Südkorea' }),
];
export const cities = Array.from({ length: 95 }, (_, n) =>
  item(`${['DE', 'AT'][n % 2]}-${String(n).padStart(2, '0')}`, `City ${String(n).padStart(2, '0')}`),
);

/** A form that may read a list of countries and one of cities, or of other items. */
export async function formWithLists(harness: Harness, others: DataListItem[] = cities) {
  const admin = harness.newTenant();
  const listOf = async (items: DataListItem[], availableLocales: string[] = []) => {
    const { id } = await admin.createList({ availableLocales });
    expect((await admin.importItems(id, items)).status).toBe(200);
    return id;
  };
  const lists = { country: await listOf(countries, ['de', 'nl-be']), city: await listOf(others) };
  const formId = newId();
  const token = harness.formToken({ tenantId: admin.tenantId, formId, lists: Object.values(lists) });
  const options = {
    baseUrl: `${harness.service.url}/`,
    formId,
    lists,
    token: () => token,
  } satisfies ConnectOptions;
  return { options, lists, formId, token };
}

export const lazy = (name: string, more: object = {}) => ({
  type: 'dropdown',
  name,
  choicesLazyLoadEnabled: true,
  choicesLazyLoadPageSize: 30,
  ...more,
});
