// cspell:ignore timercircle
import 'virtual:canvass-surveyjs';
import { createRoot } from 'react-dom/client';
import { Serializer, SurveyModel, SvgRegistry } from 'survey-core';
import 'survey-core/survey-core.fontless.min.css';
import { Survey } from 'survey-react-ui';
import { locales } from 'virtual:survey-locales';
import 'virtual:survey-theme.css';
import { pathPrefix } from '../base';
import { link } from './link';
import { dataOf, definitionFor, jsonOf } from './answers';
import { beginChallenge, call, caller, Refusal } from './call';
import { emptyDraft, mergedAnswers, openDraft, type Draft, type DraftStore } from './draft';
import { say, type HostedPage, type PageData } from './page';
import { Sender, type Progress, type Saved } from './sender';

// The policy permits no inline styles. The style sheet of the page has this one.
const { icons } = SvgRegistry as unknown as { icons: Record<string, string> };
icons['timercircle'] = icons['timercircle']!.replace(/ style="[^"]*"/, '');

/** Shows the form, with the answers that this browser has. */
export async function start(data: PageData): Promise<void> {
  if (link !== null) return startByLink(data, link);
  const store = openDraft(data.formId, caller.owner);
  const kept = store.read();
  // The page already says why the form takes no answers.
  if (!data.isOpen && kept === null) return;
  const [draft] = await Promise.all([resumed(data, kept), locales[data.language]?.()]);
  if (!data.isOpen && draft.token === null && !draft.isUnsent) return;
  run(data, draft, store);
}

/** Shows the submission of a link, with what was typed here and not sent. */
async function startByLink(data: PageData, token: string): Promise<void> {
  // Not the whole token: the storage of the browser outlives the link.
  const store = openDraft(data.formId, `link ${token.slice(0, 8)}`);
  try {
    const [saved] = await Promise.all([
      call<Saved>('GET', `/api/forms/${data.formId}/submissions/by-token`, {
        headers: { 'X-Submission-Token': token },
      }),
      locales[data.language]?.(),
    ]);
    if (saved.isComplete && saved.linkRight === 'continue') return showOnly(data.texts['linkDone']!);
    const isView = saved.linkRight === 'view';
    const kept = (isView ? null : store.read()) ?? emptyDraft();
    // Who reads or corrects begins at the first page.
    const currentPage = isView || saved.isComplete ? 0 : saved.currentPage;
    const jsonData = mergedAnswers(saved.jsonData, kept);
    run(data, { ...kept, jsonData, currentPage, sent: saved.jsonData, token, isLink: true }, store, isView);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showOnly(data.texts[error.status === 404 ? 'linkUnknown' : (refusals[error.errorCode] ?? 'refused')]!);
  }
}

function showOnly(text: string): void {
  const message = Object.assign(document.createElement('p'), { className: 'message', textContent: text });
  document.getElementById('form')!.replaceChildren(message);
  say('');
}

/** The texts of refusals, by their error codes. */
const refusals: Readonly<Record<string, string>> = {
  form_disabled: 'disabled',
  form_not_open: 'notOpen',
  form_closed: 'closed',
  form_full: 'full',
  submission_already_exists: 'done',
  submission_completed: 'linkDone',
  not_found: 'notFound',
  link_revoked: 'linkRevoked',
  link_expired: 'linkExpired',
  link_ended: 'linkEnded',
};

/** What the browser has kept, with the answers of the server that are newer. */
async function resumed({ formId, hasOpen }: PageData, kept: Draft | null): Promise<Draft> {
  const draft = kept ?? emptyDraft();
  const { token } = draft;
  if (token === null ? !hasOpen : draft.isUnsent) return draft;
  try {
    const path = `/api/forms/${formId}/submissions`;
    const saved = await (token === null
      ? call<Saved>('POST', path, { body: '{}' }) // that of another device
      : call<Saved>('GET', `${path}/by-token`, { headers: { 'X-Submission-Token': token } }));
    const jsonData = mergedAnswers(saved.jsonData, draft);
    const { currentPage } = saved;
    const isUnsent = draft.isUnsent && jsonData !== saved.jsonData;
    return {
      ...draft,
      jsonData,
      isUnsent,
      currentPage,
      sent: saved.jsonData,
      token: saved.token,
      usedAt: Date.now(),
    };
  } catch (error) {
    // Without a connection, the answers of the browser are shown. What the token opened has ended.
    const hasEnded = error instanceof Refusal && !error.isForNow;
    return hasEnded ? { ...draft, token: null, isUnsent: draft.jsonData !== '{}' } : draft;
  }
}

function run(
  { formId, definition, language, texts, page }: PageData,
  draft: Draft,
  store: DraftStore,
  isView = false,
): void {
  const model = modelOf(definition, language);
  const connected = {
    baseUrl: location.origin + pathPrefix,
    formId,
    onError: console.error,
    ...((caller.token ?? link) && { token: formTokens(formId) }),
  };
  canvassSurveyjs.connectDataLists(model, connected);
  model.data = dataOf(draft.jsonData);
  model.currentPageNo = draft.currentPage;
  model.readOnly = isView;

  const host = document.createElement('div');
  document.getElementById('form')!.replaceChildren(host);
  const root = createRoot(host);
  const showForm = () => root.render(<Survey model={model} />);
  const showMessage = (text: string, back?: () => void) =>
    root.render(
      <div className="message">
        <p>{text}</p>
        {back && <button onClick={back}>{texts['back']}</button>}
      </div>,
    );

  const now = () => ({ jsonData: jsonOf(model.data as object), currentPage: model.currentPageNo });
  const sender = new Sender(formId, draft, store, (progress) => follow(progress));
  let isStored = false;
  /** The answers of the model that are in the draft; the draft may have others since, of another device. */
  let shown = draft.jsonData;

  /** Shows what another device or tab has answered. */
  function showDraft(): void {
    if (sender.draft.jsonData !== now().jsonData) model.data = dataOf(sender.draft.jsonData);
    shown = now().jsonData;
  }
  function showCompletion(): void {
    isStored = true;
    model.doComplete();
    showForm();
    // Not before: the page would leave with the answers on their way.
    const ofDefinition = model.getNavigateToUrl();
    const target = mayLeadTo(ofDefinition, page) ? ofDefinition : page?.redirectTo;
    if (target) location.assign(target);
  }

  function follow(progress: Progress): void {
    say(progress.kind === 'offline' ? texts['offline']! : '');
    if (progress.kind === 'complete') return showCompletion();
    showDraft();
    if (progress.kind !== 'refused') return;
    const { errorCode, message } = progress.refusal;
    // The time is unknown here: the page says it after a reload.
    const text = texts[refusals[errorCode] ?? 'refused']!.replace(/[^.]*\{time\}\./, '').trim();
    showMessage(refusals[errorCode] === undefined ? `${text} ${message}` : text, () => {
      sender.keep({ isComplete: false });
      model.clear(false, false);
      showForm();
    });
  }

  // Tabs share the draft: each shows what was typed in another, and all make one submission.
  store.onOther((other) => {
    Object.assign(sender.draft, other ?? { isUnsent: false });
    if (other === null) showCompletion();
    else showDraft();
  });

  /** Keeps what is typed. What another device answered, and is not shown yet, stays. */
  const keepNow = (changes: { isComplete?: true } = {}) => {
    const { jsonData, currentPage } = now();
    const known = sender.draft.jsonData;
    const kept = known === shown ? jsonData : mergedAnswers(known, { jsonData, sent: shown });
    shown = jsonData;
    if (!isView) sender.keep({ jsonData: kept, currentPage, ...changes });
  };
  model.onValueChanged.add(() => keepNow());
  model.onCurrentPageChanged.add(() => {
    keepNow();
    sender.send();
  });
  model.onComplete.add(() => {
    if (isStored) return;
    keepNow({ isComplete: true });
    showMessage(texts['sending']!);
    sender.send();
  });

  say('');
  if (draft.isComplete) showMessage(texts['sending']!);
  else showForm();
  sender.send();
  if (draft.token === null && caller.token === null)
    void requireChallenge(formId, () => showMessage(texts['challenge']!));
}

/** The survey of a definition. What would leave the page is left out. */
function modelOf(definition: Record<string, unknown>, language: string): SurveyModel {
  canvassSurveyjs.registerProperties(Serializer);
  const { cookieName: _cookie, ...kept } = definition;
  const model = new SurveyModel(definitionFor(kept));
  model.locale = language;
  model.showTitle = false; // the page has it
  // SurveyJS looks at its width after the first paint, and would move all questions then.
  model.setIsMobile(document.getElementById('form')!.clientWidth < 600);
  model.generateStylesheet = false; // a static sheet has the variables: the policy permits no other
  // SurveyJS marks the last page's button only.
  for (const id of ['sv-nav-start', 'sv-nav-next', 'sv-nav-preview'])
    model.navigationBar.getActionById(id).appearance = { mode: 'primary' };
  model.onNavigateToUrl.add((_, options) => (options.allow = false)); // `showCompletion` does it
  // SurveyJS and its authors close with an `h3`, which follows the page's `h1` here.
  model.onProcessHtml.add((_, options) => {
    if (options.reason === 'completed') options.html = options.html.replaceAll('<h3', '<h3 aria-level="2"');
  });
  return model;
}

/** Returns whether the definition may lead to an address after the completion. */
function mayLeadTo(url: string, page: HostedPage | null): boolean {
  if (page === null || !URL.canParse(url)) return false;
  const { protocol, host } = new URL(url);
  const own = page.redirectTo === null ? [] : [new URL(page.redirectTo).host];
  return protocol === 'https:' && [...own, ...page.redirectHosts].includes(host);
}

/** Gives the form-access token of a person; another one if it was refused. */
function formTokens(formId: string): (isRefused: boolean) => Promise<string> {
  let kept: Promise<string> | null = null;
  const issued = () =>
    call<{ token: string }>('POST', `/api/public/forms/${formId}/access-tokens`, {
      ...(link !== null && { headers: { 'X-Submission-Token': link } }),
    }).then(({ token }) => token);
  return (isRefused) => (kept = (isRefused ? null : kept) ?? issued());
}

/**
 * The widget of another origin, which a challenge of the kind `verifier` needs, is not permitted here. A
 * browser has the hash of the other kind only on pages that are served by https.
 */
async function requireChallenge(formId: string, onImpossible: () => void): Promise<void> {
  const { type } = await beginChallenge(formId).catch(() => ({ type: 'none' }));
  if (type === 'verifier' || (type === 'proof-of-work' && !isSecureContext)) onImpossible();
}
