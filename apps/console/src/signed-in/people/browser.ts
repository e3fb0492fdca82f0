/** Many user agents name other browsers, too: the first of these that fits is the one. */
const browsers = {
  Edge: /Edg/,
  Opera: /OPR/,
  Firefox: /Firefox|FxiOS/,
  Chrome: /Chrome|CriOS/,
  Safari: /Safari/,
};
const systems = {
  iOS: /iPhone|iPad/,
  Android: /Android/,
  Windows: /Windows/,
  macOS: /Mac OS/,
  Linux: /Linux|CrOS/,
};

const nameIn = (names: Readonly<Record<string, RegExp>>, userAgent: string): string | undefined =>
  Object.keys(names).find((name) => names[name]!.test(userAgent));

/** The names of the browser and the system of a user agent; null if one is not known. */
export function browserOf(userAgent: string): [browser: string, system: string] | null {
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)];
  return browser === undefined || system === undefined ? null : [browser, system];
}
