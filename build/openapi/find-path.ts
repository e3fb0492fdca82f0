/**
 * Finds the template (`/api/forms/{formId}`) that a path is meant for; fixed segments go before parameters.
 */
export function pathFinder(templates: readonly string[]): (path: string) => string | undefined {
  const routes = templates
    .map((template) => ({ template, segments: template.split('/') }))
    // `{` sorts behind every letter, so that of two routes the one with a fixed segment comes first.
    .sort((a, b) => (a.template < b.template ? -1 : 1));
  return (path) => {
    const asked = path.split('/');
    return routes.find(
      ({ segments }) =>
        segments.length === asked.length &&
        segments.every((segment, n) => segment === asked[n] || (segment.startsWith('{') && asked[n] !== '')),
    )?.template;
  };
}
