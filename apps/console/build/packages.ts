/**
 * Compares the packages that the build has with those that `packages.json` names. The licence notices and the
 * bill of materials are made of the latter, without a build.
 *
 * @returns a sentence for each difference
 */
export function packageFaults(named: readonly string[], built: readonly string[]): string[] {
  const missing = [...new Set(built)].filter((name) => !named.includes(name));
  const unused = named.filter((name) => !built.includes(name));
  return [
    ...missing.map((name) => `The build contains ${name}: add it to packages.json.`),
    ...unused.map((name) => `packages.json names ${name}, which the build does not contain.`),
  ];
}
