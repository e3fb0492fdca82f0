/** Reports the height of this page to the one that embeds it, if it may embed it and asks. */
export function reportHeight(origins: readonly string[]): void {
  const { documentElement: root } = document;
  const top = window.parent;
  if (top === window) return;
  root.classList.add('embedded');
  let asked = '';
  const report = () => {
    if (asked !== '')
      top.postMessage({ canvassHeight: Math.ceil(root.getBoundingClientRect().height) }, asked);
  };
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== top || !origins.includes(origin) || data !== 'canvass-height') return;
    asked = origin;
    report();
  });
  new ResizeObserver(report).observe(root);
}
