import { Problem } from '@canvass/errors';

/** A reason for rejecting an import, with its place in the upload. */
export interface Fault {
  /** Physical line of the file, 1 is the header; null for JSON. */
  line: number | null;
  /** Number of the cell in its row, from 1; null for JSON and for errors of a whole row. */
  column: number | null;
  /** Name of the column, or the JSON path (`items[3].labels.nl`), or null. */
  field: string | null;
  message: string;
}

/** Maximum number of errors in a response. Reading stops there. */
const faultLimit = 100;

/** Collects errors while reading. Throws `import_rejected` at the maximum number. */
export class FaultList {
  readonly faults: Fault[] = [];

  add(fault: Fault): void {
    this.faults.push(fault);
    if (this.faults.length >= faultLimit) throw this.problem();
  }

  /** For an error that makes the rest unreadable (wrong encoding, no header). */
  stop(fault: Fault): never {
    this.faults.push(fault);
    throw this.problem();
  }

  throwIfAny(): void {
    if (this.faults.length > 0) throw this.problem();
  }

  private problem(): Problem {
    const [first] = this.faults;
    const count = this.faults.length;
    return new Problem('import_rejected', {
      detail: count === 1 ? first!.message : `${count} errors were found; the first: ${first!.message}`,
      extra: { faults: this.faults },
    });
  }
}
