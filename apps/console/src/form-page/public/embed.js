// Puts the page of a form in the place of this script, as high as its content:
// <script src="https://forms.example.org/f/embed.js" data-form="registration" data-lang="de" async></script>
(() => {
  const script = document.currentScript;
  const { form, lang, title } = script.dataset;
  const page = new URL(encodeURIComponent(form), script.src);
  if (lang) page.searchParams.set('lang', lang);

  const frame = document.createElement('iframe');
  frame.src = page.href;
  frame.title = title || 'Form';
  frame.style.cssText = 'display: block; width: 100%; height: 30rem; border: 0';
  // The page answers with its height, now and whenever it changes.
  frame.addEventListener('load', () => frame.contentWindow.postMessage('canvass-height', page.origin));
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== page.origin) return;
    if (Number.isFinite(data?.canvassHeight)) frame.style.height = `${Math.max(data.canvassHeight, 100)}px`;
  });
  script.replaceWith(frame);
})();
