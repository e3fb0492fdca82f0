/*
 * Canvass data lists in SurveyJS (survey-core): dropdowns and tag boxes that load their choices while the respondent types
 * and scrolls, and show stored answers by their labels. No dependencies; defines `canvassSurveyjs`.
 * How to use it: docs/form-runtime.md.
 */
(function (root) {
  'use strict';

  /** Most records of one answer, and most values resolved by one request. */
  const pageLimit = 200;
  /** Most characters that the values of one request take in its address, of which servers allow some kilobytes. */
  const addressLimit = 6_000;
  /** A token is replaced this long before it ends. */
  const tokenReserveMs = 60_000;

  /** Types of questions that can load their choices as they are needed. */
  const questionTypes = ['dropdown', 'tagbox'];
  const propertyNames = ['dataList', 'dataListPrefix'];

  /**
   * Registers the properties `dataList` and `dataListPrefix`, so that a definition can name the list of a question, also in
   * dynamic panels and columns of matrices. Call it before a survey is made; where survey-core was loaded as a script
   * before this one, it was called already.
   *
   * @param Serializer of survey-core
   */
  function registerProperties(Serializer) {
    for (const type of questionTypes) {
      if (Serializer.findProperty(type, 'dataList')) continue;
      Serializer.addProperty(type, {
        name: 'dataList',
        category: 'choices',
        onSetValue(question, list) {
          question.setPropertyValue('dataList', list);
          if (list) question.choicesLazyLoadEnabled = true;
        },
      });
      Serializer.addProperty(type, { name: 'dataListPrefix', category: 'choices' });
    }
  }

  /**
   * Connects questions of a survey with data lists: those whose definition names one (`dataList`, `dataListPrefix`) and those
   * in `lists`.
   *
   * @param survey a survey-core SurveyModel
   * @param options
   *   baseUrl   of Canvass, such as "https://forms.example.org"
   *   formId    the form whose lists are read
   *   lists     optional, goes before the definition: by question name a list id, or { list, prefix }. A prefix is put before
   *             what the respondent types and is matched from the start; it may name what a text of SurveyJS may name:
   *             "{country}-", "{panel.country}-", "{row.country}-"
   *   token     optional: a function that gives a form-access token, called again after a 401; by default one is fetched
   *   onError   optional: called with what went wrong; the question then shows no choices
   * @returns a function that disconnects the survey
   * @throws {Error} for a name in `lists` that is not a dropdown or tag box of the survey, and for a definition with
   *   `dataList` or `dataListPrefix` that survey-core did not understand
   */
  function connectDataLists(survey, options) {
    const lists = new Map(Object.entries(options.lists ?? {}));
    const questions = questionsOf(survey);
    requireKnown(survey, questions, lists);
    const base = `${options.baseUrl.replace(/\/+$/, '')}/api/public/forms/${encodeURIComponent(options.formId)}`;
    const tokenOf = options.token ?? fetchedTokens(base);
    /** The latest search by question, whose pages belong together. */
    const searches = new Map();
    /** Values that are to be resolved by the next request, by list. */
    const wanted = new Map();
    /** By question the answer, and the prefix under which it was given. */
    const given = new WeakMap();
    /** Questions whose prefix was reported. */
    const reported = new WeakSet();
    let isConnected = true;

    const sourceOf = (question) => {
      // A text question has a `dataList` too: the suggestions of its input.
      if (!isLazy(question)) return undefined;
      const source = lists.get(question.name) ?? question.dataList;
      if (typeof source !== 'string') return source;
      return { list: source, prefix: lists.has(question.name) ? '' : question.dataListPrefix };
    };
    const localeOf = () => survey.locale || 'default';
    /** As SurveyJS looks for a text: in the locale, in its language, in the default language. */
    const textOf = ({ value, labels }, locale) =>
      labels[locale.toLowerCase()] ?? labels[languageOf(locale)] ?? labels.default ?? value;
    const localesOf = (locale) => ({
      locale,
      ...(languageOf(locale) && { includeLocales: languageOf(locale) }),
    });
    const failed = (error) => {
      if (options.onError) options.onError(error);
    };

    async function read(list, what, query) {
      const url = `${base}/data-lists/${encodeURIComponent(list)}/${what}?${query}`;
      let response;
      for (let again = false; ; again = true) {
        const token = await tokenOf(again);
        response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
        if (response.status !== 401 || again) break;
      }
      if (!response.ok) throw new Error(`${what} of list ${list} answered ${response.status}`);
      return response.json();
    }

    /** A search's records from `skip` on; more than a page of them in several requests. */
    async function records(question, { filter, skip, take }) {
      const { list } = sourceOf(question);
      const start = prefixOf(question);
      if (start === null) {
        reportUnknown(question);
        return { items: [], total: 0 };
      }
      const locale = localeOf();
      const items = [];
      let total = 0;
      do {
        const query = new URLSearchParams({
          query: start + (filter || ''),
          matchMode: start !== '' || question.searchMode === 'startsWith' ? 'StartsWith' : 'Contains',
          ...localesOf(locale),
          skip: String(skip + items.length),
          take: String(Math.min(take - items.length, pageLimit)),
        });
        const page = await read(list, 'search', query);
        total = page.totalRecords;
        items.push(...page.items.map((item) => ({ value: item.value, text: textOf(item, locale) })));
        if (page.items.length === 0) break;
      } while (items.length < take && skip + items.length < total);
      return { items, total };
    }

    /** Pages of one search are handed over in order; what arrives after a newer search began is dropped. */
    function onLazyLoad(_survey, event) {
      const { question, skip } = event;
      if (!sourceOf(question)) return;
      if (skip === 0 || !searches.has(question))
        searches.set(question, { last: Promise.resolve(), total: 0 });
      const search = searches.get(question);
      const page = records(question, event);
      search.last = Promise.all([page, search.last])
        .then(
          ([found]) => found,
          (error) => {
            failed(error);
            return { items: [], total: search.total };
          },
        )
        .then(({ items, total }) => {
          if (searches.get(question) !== search) return;
          search.total = total;
          event.setItems(items, total);
        });
    }

    /** Texts by value. Values asked for at the same moment share a request. */
    function resolve(list, values) {
      if (!wanted.has(list)) {
        const batch = { values: new Set() };
        batch.texts = Promise.resolve().then(() => {
          wanted.delete(list);
          return displayTexts(list, [...batch.values]);
        });
        wanted.set(list, batch);
      }
      const batch = wanted.get(list);
      for (const value of values) batch.values.add(String(value));
      return batch.texts;
    }

    async function displayTexts(list, values) {
      const locale = localeOf();
      const texts = new Map();
      for (const batch of batchesOf(values)) {
        const query = new URLSearchParams(localesOf(locale));
        for (const value of batch) query.append('values', value);
        for (const item of await read(list, 'display-values', query))
          texts.set(item.value, textOf(item, locale));
      }
      // The language was switched meanwhile: survey-core asks only once.
      return locale === localeOf() ? texts : displayTexts(list, values);
    }

    /** The texts stand in the places of their values; an unknown value shows itself. */
    function onDisplayValue(_survey, event) {
      const { question, values } = event;
      const source = sourceOf(question);
      if (!source) return;
      if (given.get(question)?.answer !== answerOf(question)) remember(question);
      resolve(source.list, values).then(
        (texts) => {
          const items = values.map((value) => ({ value, text: texts.get(String(value)) ?? String(value) }));
          if (question.choices.length === 0 && needsChoices(question))
            question.choices = items.filter(({ value }) => value !== question.otherItem.value);
          event.setItems(items.map(({ text }) => text));
        },
        (error) => {
          failed(error);
          event.setItems(values.map(String));
        },
      );
    }

    /** survey-core reads the texts of a tag box with `other`, and what another question takes over, from choices. */
    const needsChoices = (question) =>
      isWithOther(question) ||
      survey.getAllQuestions(false, false, true).some((other) => other.choicesFromQuestion === question.name);

    /** survey-core asks for the texts of a tag box only where none of its items is known; `other` is. */
    function showBesideOther(question) {
      if (isConnected && isWithOther(question))
        onDisplayValue(survey, { question, values: question.value, setItems: () => {} });
    }

    const connected = () => survey.getAllQuestions(false, false, true).filter(sourceOf);

    /** Reloads the visible choices and the texts of the answer. */
    function forget(question) {
      searches.delete(question);
      question.selectedItemValues = null;
      question.choices = [];
      question.dropdownListModel?.onHidePopup();
      // Reading it makes survey-core ask for the texts.
      void (question.selectedItems ?? question.selectedItem);
      showBesideOther(question);
    }

    const onLocale = () => connected().forEach(forget);

    /** The prefix with the answers it names, as the question sees them; null while one of them is missing. */
    function prefixOf(question) {
      const { prefix } = sourceOf(question);
      if (!prefix) return '';
      const { text, hasAllValuesOnLastRun } = processed(question, prefix);
      return hasAllValuesOnLastRun ? text : null;
    }

    /** What survey-core does not know stays in its braces. */
    function reportUnknown(question) {
      const { prefix } = sourceOf(question);
      if (!/\{[^{}]+\}/.test(processed(question, prefix).text) || reported.has(question)) return;
      reported.add(question);
      failed(
        new Error(`The prefix "${prefix}" of the question "${question.name}" names nothing that is there.`),
      );
    }

    const remember = (question) =>
      given.set(question, { prefix: prefixOf(question), answer: answerOf(question) });

    /** Any answer may be part of a prefix: what was chosen under the former one no longer holds. */
    function onChange() {
      for (const question of connected()) {
        question.registerFunctionOnPropertyValueChanged('value', () => showBesideOther(question), 'canvass');
        if (!sourceOf(question).prefix) continue;
        const before = given.get(question);
        const { prefix, answer } = remember(question).get(question);
        if (!before || before.prefix === prefix) continue;
        if (before.answer === answer) question.clearValue();
        forget(question);
      }
    }

    for (const question of questions) if (sourceOf(question)) question.choicesLazyLoadEnabled = true;
    const handlers = [
      [survey.onChoicesLazyLoad, onLazyLoad],
      [survey.onGetChoiceDisplayValue, onDisplayValue],
      [survey.onLocaleChangedEvent, onLocale],
      [survey.onValueChanged, onChange],
      [survey.onVariableChanged, onChange],
    ];
    for (const [event, handler] of handlers) event.add(handler);
    // Answers may have been set before.
    onChange();
    onLocale();
    return () => {
      isConnected = false;
      for (const [event, handler] of handlers) event.remove(handler);
    };
  }

  const isLazy = (question) => 'choicesLazyLoadEnabled' in question;

  /** All questions, with the templates of those that dynamic panels and matrices make as they are needed. */
  function questionsOf(survey) {
    const found = [];
    const add = (question) => {
      found.push(question);
      for (const inPanel of question.template?.questions ?? []) add(inPanel);
      for (const { templateQuestion } of question.columns ?? []) if (templateQuestion) add(templateQuestion);
    };
    survey.getAllQuestions(false, false, true).forEach(add);
    return found;
  }

  function requireKnown(survey, questions, lists) {
    const error = survey.jsonErrors?.find(({ propertyName }) => propertyNames.includes(propertyName));
    if (error)
      throw new Error(
        `${error.message} Only ${questionTypes.join(' and ')} have it, once canvassSurveyjs.registerProperties(Serializer) was called; then make the survey.`,
      );
    for (const name of lists.keys()) {
      const named = questions.filter((question) => question.name === name);
      if (named.length === 0) throw new Error(`lists: the survey has no question "${name}".`);
      const other = named.find((question) => !isLazy(question));
      if (other)
        throw new Error(
          `lists: the question "${name}" is of type ${other.getType()}; only ${questionTypes.join(' and ')} can have a data list.`,
        );
    }
  }

  /** A text with the answers it names, as the question sees them. */
  const processed = (question, text) =>
    question.textProcessor.processTextEx({
      text,
      returnDisplayValue: false,
      doEncoding: false,
      context: question,
    });

  const isWithOther = (question) => question.getType() === 'tagbox' && question.isOtherSelected;

  const answerOf = (question) => JSON.stringify(question.value);

  /** The language of a locale with a region; otherwise undefined. */
  const languageOf = (locale) => (locale.includes('-') ? locale.toLowerCase().split('-')[0] : undefined);

  /** Batches of as many values as a request and its address hold; a comma in a value counts as one more. */
  function batchesOf(values) {
    const batches = [];
    let room = 0;
    let space = 0;
    for (const value of values) {
      const parts = value.split(',').length;
      const { length } = String(new URLSearchParams({ values: value }));
      if (parts > room || length > space) {
        batches.push([]);
        room = pageLimit;
        space = addressLimit;
      }
      batches[batches.length - 1].push(value);
      room -= parts;
      space -= length;
    }
    return batches;
  }

  /** Form-access tokens of a public form, fetched when needed. */
  function fetchedTokens(base) {
    let known = null;
    return (again) => {
      if (known === null || again || Date.now() > known.until) {
        const mine = { until: Infinity };
        mine.token = fetch(`${base}/access-tokens`, { method: 'POST' }).then(async (response) => {
          if (!response.ok) throw new Error(`access-tokens answered ${response.status}`);
          const { token, expiresAtUtc } = await response.json();
          mine.until = Date.parse(expiresAtUtc) - tokenReserveMs;
          return token;
        });
        mine.token.catch(() => {
          if (known === mine) known = null;
        });
        known = mine;
      }
      return known.token;
    };
  }

  root.canvassSurveyjs = { connectDataLists, registerProperties };
  if (root.Survey?.Serializer) registerProperties(root.Survey.Serializer);
})(globalThis);
