import path from 'node:path';

/** So many affected spec files run all. A service has more, and takes minutes. */
const fewSpecs = 12;

/**
 * The spec files that are near a change, of all that import what changed. A service's API specs import all of it, so
 * of many spec files those are left whose names share a word with the changed files or their folders:
 * `form-versions.api.spec.ts` is near `src/forms/`. Specs that changed, and those of a changed library or beside
 * the code, are always near. If none is near a change in a project, all of that project are.
 *
 * @param changed paths within the work tree
 * @param related paths within the work tree of the spec files that import them
 */
export function nearSpecs(changed: readonly string[], related: readonly string[]): string[] {
  if (related.length <= fewSpecs) return [...related];
  const sources = changed.filter((file) => !file.endsWith('.spec.ts'));
  const near = new Set(related.filter((spec) => changed.includes(spec)));
  for (const project of new Set(sources.map(projectOf))) {
    const words = new Set(sources.filter((file) => projectOf(file) === project).flatMap(wordsOf));
    const own = related.filter((spec) => projectOf(spec) === project);
    const isNear = (spec: string) =>
      !spec.startsWith('apps/') || !spec.includes('/test/') || wordsOf(spec).some((word) => words.has(word));
    const found = own.filter(isNear);
    for (const spec of found.length > 0 ? found : own) near.add(spec);
  }
  return related.filter((spec) => near.has(spec));
}

/** The folder of a project: `apps/gateway`. */
const projectOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** Words that say nothing about the subject of a file. */
const common = 'src test api long spec sql routes index app ts read operation'.split(' ');

/** The words of a path below its project, in the singular. */
function wordsOf(file: string): string[] {
  const below = path.relative(projectOf(file), file).toLowerCase();
  return below
    .split(/[^a-z]+/)
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => word.length > 2 && !common.includes(word) && !common.includes(`${word}s`));
}
