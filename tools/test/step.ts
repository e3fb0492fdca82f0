import { runNode } from '../infra';

/** The result of one step of `npm test`. */
export interface StepResult {
  name: string;
  passed: number;
  failed: number;
  /** All it printed; shown when something failed. */
  output: string;
  milliseconds: number;
}

/** The findings of a step; its output and duration are added by `runStep`. */
export interface Finding {
  passed: number;
  failed: number;
  output: string;
  /** Lines that are shown although the step passed. */
  notes?: string[];
}

/** The longest step, the containers, took ten minutes on a busy machine. */
const maxMinutes = 15;

/** A step that is right or wrong as a whole: it counts as one. What this machine cannot do is a note. */
export async function wholeStep(args: readonly string[]): Promise<Finding> {
  const { status, output } = await runNode(args, {}, maxMinutes);
  const notes = output.match(/^skipped: .*$/gm) ?? [];
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, output, notes };
}

/** Runs a step and prints its name, result, duration and notes; its output only if it failed. */
export async function runStep(
  name: string,
  find: () => Promise<Finding>,
  say: (line: string) => void,
): Promise<StepResult> {
  const started = Date.now();
  const { notes = [], ...finding }: Finding = await find().catch((error: unknown) => ({
    passed: 0,
    failed: 1,
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  const result = { name, ...finding, milliseconds: Date.now() - started };
  const seconds = (result.milliseconds / 1000).toFixed(1);
  if (result.failed > 0) say(`\n${result.output.trimEnd()}\n`);
  const count = result.passed + result.failed > 1 ? `, ${result.passed} passed, ${result.failed} failed` : '';
  say(`${result.failed > 0 ? 'FAIL' : 'ok  '} ${name} (${seconds} s${count})`);
  for (const note of notes) say(`     ${note}`);
  return result;
}
