import { Problem } from '@canvass/errors';

/** One reason why an import was refused, and where it stands in what was sent. */
export interface Fault {
  /** Physical line of the file, 1 is the header; null for JSON. */
  line: number | null;
  /** Number of the cell in its row, from 1; null for JSON and for faults of a whole row. */
  column: number | null;
  /** Name of the column, or the JSON path (`items[3].labels.nl`); null where there is none. */
  field: string | null;
  message: string;
}

/** The most faults one answer lists; reading stops there. */
export const faultLimit = 100;

/** Collects faults while reading goes on; throws `import_rejected` as soon as it holds as many as an answer lists. */
export class FaultList {
  readonly faults: Fault[] = [];

  add(fault: Fault): void {
    this.faults.push(fault);
    if (this.faults.length >= faultLimit) throw this.problem();
  }

  /** For a fault that makes the rest unreadable (wrong encoding, no header). */
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
      detail: count === 1 ? first!.message : `${count} faults were found; the first: ${first!.message}`,
      extra: { faults: this.faults },
    });
  }
}
