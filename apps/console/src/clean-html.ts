/** The part of Trusted Types that is used. Browsers without them have no `trustedTypes`. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string },
  ): { createHTML(html: string): string };
}

/** Elements that load, lead elsewhere or change what other elements mean. */
const active = 'base, embed, frame, iframe, link, meta, object, script, style';

/**
 * From now on, these elements are taken out of all HTML that becomes a part of the page. The policy of the
 * page forbids most of what they do; it has no rule for `meta` with `http-equiv="refresh"`.
 */
export function cleanHtml(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return;
  const clean = trustedTypes.createPolicy('canvass-clean', { createHTML: (html) => html });
  trustedTypes.createPolicy('default', {
    createHTML(html) {
      // The content of a template is no part of the page: nothing in it is loaded.
      const template = document.createElement('template');
      template.innerHTML = clean.createHTML(html);
      for (const element of template.content.querySelectorAll(active)) element.remove();
      return template.innerHTML;
    },
  });
}

/** Links lead nowhere, whether the form runtime or HTML of the definition made them. */
export function holdLinks(): void {
  for (const kind of ['click', 'auxclick']) {
    const hold = (event: Event) => {
      if (event.target instanceof Element && event.target.closest('a') !== null) event.preventDefault();
    };
    document.addEventListener(kind, hold, { capture: true });
  }
}
