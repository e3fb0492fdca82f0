/** An option of an operation, `--name value`. */
export interface OperationOption {
  about: string;
  /**
   * `id`: a 64-bit id. `count`: 1 to 10,000. `time`: ISO 8601 with a zone. `flag`: without a value. A list:
   * one of its words.
   */
  kind: 'id' | 'count' | 'time' | 'text' | 'flag' | readonly string[];
  isRequired?: boolean;
  otherwise?: string;
  /** Returns whether its value names a person, so the audit trail does not keep it. */
  isPersonal?: boolean;
}

/** Values of the options by name. A flag that is set has the value `true`. */
export type OptionValues = Readonly<Partial<Record<string, string>>>;

export interface OperationResult {
  /** Printed as a table, or with `--json` as one JSON text per line. Must not contain secrets. */
  rows: readonly object[];
  /** The text that the operator should read, printed on standard error. */
  say?: string;
  /** The operation has done its work and found faults: the exit status is that of a failure. */
  hasFaults?: boolean;
}

/** A command for operators: `main.js ops <name>`. */
export interface Operation {
  /** One or two words: `outbox`, `poison retry`. */
  name: string;
  about: string;
  options?: Readonly<Record<string, OperationOption>>;
  /** The operation changes data that other programs see, and needs `--yes`. */
  changes?: boolean;
  /**
   * The tenant whose audit trail records the operation; by default the option `tenant` if it is an id. Throws
   * as `run` does.
   */
  tenantOf?(values: OptionValues): Promise<string>;
  /** The operation prints stored contents, such as answers in events. */
  showsContents?: boolean;
  /**
   * @throws {Problem} if an object does not exist or the operation is not possible; with status 400 for wrong
   * options
   */
  run(values: OptionValues): Promise<OperationResult>;
}
