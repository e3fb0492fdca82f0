/** Tells the page that embeds this one how high it is, if it may embed it and asks. */
export function tellHeight(origins: readonly string[]): void {
  const { documentElement: root } = document;
  const top = window.parent;
  if (top === window) return;
  root.classList.add('embedded');
  let asked = '';
  const tell = () => {
    if (asked !== '')
      top.postMessage({ canvassHeight: Math.ceil(root.getBoundingClientRect().height) }, asked);
  };
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== top || !origins.includes(origin) || data !== 'canvass-height') return;
    asked = origin;
    tell();
  });
  new ResizeObserver(tell).observe(root);
}
