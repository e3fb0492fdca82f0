import type { StackFile } from './stack-file';

/**
 * Plays the demo against a running stack; 0 when every delivery was verified. Loaded only when asked for.
 */
export async function playDemoOn(stack: StackFile): Promise<number> {
  try {
    const { playDemo } = await import('../demo/main');
    return (await playDemo(stack)) ? 0 : 1;
  } catch (error) {
    console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}
