import * as Survey from 'survey-core';
import { SurveyModel, type QuestionDropdownModel } from 'survey-core';

interface ConnectOptions {
  baseUrl: string;
  formId: string;
  lists?: Record<string, string | { list: string; prefix: string }>;
  onError?: (error: Error) => void;
}

export interface Adapter {
  connectDataLists(this: void, survey: SurveyModel, options: ConnectOptions): () => void;
}

/** Loads the adapter from the gateway, as a browser does: as a script after survey-core. */
export async function loadAdapter(gatewayUrl: string): Promise<Adapter> {
  const answer = await fetch(`${gatewayUrl}/assets/canvass-surveyjs.js`);
  if (!answer.ok) throw new Error(`the adapter answered ${answer.status}`);
  const scope: { canvassSurveyjs?: Adapter; Survey: typeof Survey } = { Survey };
  new Function('globalThis', await answer.text())(scope);
  return scope.canvassSurveyjs!;
}

export const surveyOf = (...elements: object[]): SurveyModel => new SurveyModel({ elements });

export const dropdown = (survey: SurveyModel, name: string): QuestionDropdownModel =>
  survey.getQuestionByName(name) as QuestionDropdownModel;

/** The visible choices of a question: value and text. */
export const shown = (question: QuestionDropdownModel): [unknown, string][] =>
  question.visibleChoices.map((item) => [item.value as unknown, item.text]);

/** Scrolls the list of choices to its end. */
export function scrollToEnd(question: QuestionDropdownModel): void {
  const target = Object.assign(new EventTarget(), { scrollHeight: 0, scrollTop: 0, offsetHeight: 0 });
  target.addEventListener('scroll', (event) => question.dropdownListModel.onScroll(event));
  target.dispatchEvent(new Event('scroll'));
}

/** The parts of XMLHttpRequest that choicesByUrl uses, because Node does not have it. */
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
