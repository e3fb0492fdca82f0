import path from 'node:path';
import ts from 'typescript';

/** A Kubernetes object and the file it stands in. */
export interface Manifest<Spec = unknown> {
  at: string;
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: Spec;
  /** The data of a ConfigMap. */
  data: Record<string, string>;
}

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};
/** Source files by name and manifests without a fault: a later call does not repeat the work. */
const parsed = new Map<string, ts.SourceFile | undefined>();
const correct = new Set<string>();

/**
 * Checks every manifest against the types of `kubernetes-models` and its packages for custom resources. Each becomes a TypeScript literal of its
 * interface: the compiler reports unknown fields, which the package's own validation accepts.
 */
export function checkTypes(manifests: readonly Manifest[]): string[] {
  const unchecked = manifests
    .filter(isTyped)
    .map(({ at, ...content }) => ({ at, text: moduleOf(content) }))
    .filter(({ text }) => !correct.has(text));
  if (unchecked.length === 0) return [];
  const modules = new Map(
    unchecked.map((manifest, index) => [path.join(__dirname, `manifest-${index}.virtual.ts`), manifest]),
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => modules.has(name) || fileExists(name);
  host.getSourceFile = (name, ...rest) => {
    const manifest = modules.get(name);
    if (manifest) return ts.createSourceFile(name, manifest.text, ts.ScriptTarget.ES2022);
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest));
    return parsed.get(name);
  };
  const program = ts.createProgram([...modules.keys()], options, host);
  return [...modules].flatMap(([name, { at, text }]) => {
    const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(name));
    if (found.length === 0) correct.add(text);
    return found.map(({ messageText }) => `${at}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  });
}

/** Packages with the types of custom resources, by API group; the others are in `kubernetes-models`. */
const packages: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};

/** Returns whether a package has types: none has those of the RabbitMQ cluster operator. */
const isTyped = ({ apiVersion }: Manifest): boolean => !apiVersion.startsWith('rabbitmq.com/');

function moduleOf(manifest: Omit<Manifest, 'at'>): string {
  const { apiVersion, kind } = manifest;
  const types = packages[apiVersion.split('/')[0]!] ?? 'kubernetes-models';
  return `import type { I${kind} as Type } from '${types}/${apiVersion}/${kind}';
    export const manifest: Type = ${JSON.stringify(manifest)};`;
}
