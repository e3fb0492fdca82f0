/** Something on this machine is missing or in the way. The message is one sentence that names the remedy; no stack is shown. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
