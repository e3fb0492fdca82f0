/** Takes a value out of the fragment of the address, so that it is not shown, kept or shared there. */
export function takeFragment(name: string): string | null {
  const read = () => new URLSearchParams(location.hash.slice(1)).get(name);
  // A second link in the same tab changes the fragment only.
  addEventListener('hashchange', () => read() !== null && location.reload());
  const value = read();
  if (value !== null) history.replaceState(null, '', location.pathname + location.search);
  return value;
}
