import path from 'node:path';
import ts from 'typescript';
import type { Fault } from './fault';
import type { Manifest } from './manifests';

const checkout = path.resolve(__dirname, '../..');

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};

/** Kept between calls: the declarations are read once, and a manifest that was in order stays so. */
let previous: ts.Program | undefined;
const inOrder = new Set<string>();

/**
 * Checks every manifest against the types of `kubernetes-models`. Each becomes a TypeScript literal of its interface, so
 * that the compiler reports what the package's own validation lets through: fields that do not exist.
 */
export function checkManifestTypes(manifests: readonly Manifest[]): Fault[] {
  const unchecked = manifests
    .map((manifest) => ({ file: manifest.file, text: literalOf(manifest) }))
    .filter(({ text }) => !inOrder.has(text));
  if (unchecked.length === 0) return [];

  // Each literal in a module of its own: names do not meet, and a diagnostic's file leads back to the manifest.
  const modules = new Map(unchecked.map((entry, index) => [virtualFile(index), entry]));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  const old = previous;
  host.fileExists = (name) => modules.has(name) || fileExists(name);
  host.getSourceFile = (name, ...rest) => {
    const virtual = modules.get(name);
    if (virtual !== undefined) return ts.createSourceFile(name, virtual.text, ts.ScriptTarget.ES2022);
    return old?.getSourceFile(name) ?? getSourceFile(name, ...rest);
  };
  const program = ts.createProgram([...modules.keys()], options, host);
  previous = program;

  return [...modules].flatMap(([name, { file, text }]) => {
    const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(name));
    if (diagnostics.length === 0) inOrder.add(text);
    return diagnostics.map(({ messageText }) => ({ file, message: innermost(messageText) }));
  });
}

const virtualFile = (index: number) => path.join(checkout, `deploy/checks/manifest-${index}.virtual.ts`);

function literalOf({ file: _file, ...content }: Manifest): string {
  const model = `kubernetes-models/${content.apiVersion}/${content.kind}`;
  return [
    `import type { I${content.kind} as Type } from ${JSON.stringify(model)};`,
    `export const manifest: Type = ${JSON.stringify(content, null, 1)};`,
  ].join('\n');
}

function innermost(message: string | ts.DiagnosticMessageChain): string {
  if (typeof message === 'string') return message;
  const next = message.next?.at(-1);
  return next === undefined ? message.messageText : innermost(next);
}
