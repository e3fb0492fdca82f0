/**
 * The configuration is not usable. `faults` has one sentence per fault. Each starts with its key
 * (`Service:Hosting:Port …`).
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly faults: string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}
