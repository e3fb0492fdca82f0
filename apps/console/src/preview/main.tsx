import { createRoot } from 'react-dom/client';
import { Serializer, SurveyModel } from 'survey-core';
import css from 'survey-core/survey-core.fontless.min.css?inline';
import { DefaultDark } from 'survey-core/themes';
import { Survey } from 'survey-react-ui';
import { cleanHtml, holdLinks } from '../clean-html';
import { greeting, maxErrors, type FromPreview, type ToPreview } from '.';

// The data list whose items are the choices, and the beginning of their values (docs/form-runtime.md).
for (const name of ['dataList', 'dataListPrefix']) Serializer.addProperty('question', name);

const root = createRoot(document.getElementById('root')!);
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
let shown = new SurveyModel({});
let number = 0;

/** The model of a definition. What would leave the frame, or needs an origin, is left out. */
function modelOf(definition: string): SurveyModel {
  const parsed = JSON.parse(definition) as Record<string, unknown>;
  delete parsed['cookieName'];
  const model = new SurveyModel(parsed);
  model.onNavigateToUrl.add((_, options) => (options.allow = false));
  return model;
}

/** Shows a definition. The answers and the page of the former one stay. */
function show({ definition, locale, isDark }: Extract<ToPreview, { kind: 'show' }>): FromPreview {
  const model = modelOf(definition);
  const locales = model.getUsedLocales();
  model.locale = locale;
  model.mergeData(shown.data as object);
  model.currentPageNo = shown.currentPageNo;
  if (isDark) model.applyTheme(DefaultDark);
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  document.documentElement.dir = /^(ar|fa|he|ur)\b/.test(locale) ? 'rtl' : 'ltr';
  document.documentElement.lang = locale || 'en';
  root.render(<Survey key={number} model={model} />);
  shown = model;
  const errors = (model.jsonErrors ?? []).slice(0, maxErrors).map(({ message }) => message);
  return { kind: 'shown', number, errors, locales };
}

function answer(message: ToPreview): FromPreview {
  if (message.kind === 'ask') return { kind: 'alive' };
  if (message.kind === 'clear') {
    shown.clear();
    return { kind: 'alive' };
  }
  number = message.number;
  try {
    return show(message);
  } catch (error) {
    root.render(null);
    return { kind: 'failed', number, message: textOf(error) };
  }
}

cleanHtml();
holdLinks();
// The policy permits no style sheet with an address: HTML of a definition could name one.
const sheet = document.createElement('style');
sheet.textContent = `${css} body { margin: 0; }`;
document.head.append(sheet);
addEventListener('message', function connect({ source, origin, data, ports: [port] }) {
  // `location` has the address of the page; the origin of the page itself is opaque.
  if (source !== parent || origin !== location.origin || data !== greeting || port === undefined) return;
  removeEventListener('message', connect);
  const post = (message: FromPreview) => port.postMessage(message);
  addEventListener('error', ({ message }) => post({ kind: 'failed', number, message }));
  port.onmessage = (event: MessageEvent<ToPreview>) => post(answer(event.data));
});
