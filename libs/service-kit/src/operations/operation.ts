/** An option of an operation, `--name value`. */
export interface OperationOption {
  about: string;
  /** `id`: a 64-bit id. `count`: 1 to 10,000. `time`: ISO 8601 with a zone. `flag`: takes no value. A list: one of these words. */
  kind: 'id' | 'count' | 'time' | 'text' | 'flag' | readonly string[];
  isRequired?: boolean;
  otherwise?: string;
}

/** Values of the options by name; a flag that is set is `true`. */
export type OptionValues = Readonly<Partial<Record<string, string>>>;

export interface OperationResult {
  /** Printed as a table, or with `--json` as one JSON text a line. Never holds a secret. */
  rows: readonly object[];
  /** One sentence for people, on standard error. */
  say?: string;
}

/** One thing that an operator can do from the command line of a service. */
export interface Operation {
  /** One or two words: `outbox`, `poison retry`. */
  name: string;
  about: string;
  options?: Readonly<Record<string, OperationOption>>;
  /** It changes what other programs see: is done only with `--yes`. */
  changes?: boolean;
  /** @throws {Problem} when what was named is not there or cannot be done; with status 400 when it was called wrongly */
  run(values: OptionValues): Promise<OperationResult>;
}
