import type { StepName } from './steps.sql';

/** Progress goes to standard error, so that standard output contains only the report. */
export interface Screen {
  isTTY?: boolean;
  write(text: string): unknown;
}

const titles: Record<StepName | 'dry run', string> = {
  A: 'A  link by submitter id',
  B: 'B  link by user id',
  C: 'C  link by external subject',
  D: 'D  mirror SubmittedBy',
  E: 'E  rewrite RestrictionKey',
  'dry run': 'dry run',
};

const width = 24;
const redrawMs = 100;
const lineMs = 5_000;
const number = new Intl.NumberFormat('en');

/** A bar that is redrawn on a terminal, else a plain line every few seconds. */
export class ProgressDisplay {
  private drawnAt = 0;
  private step: keyof typeof titles | null = null;
  private begun = { at: 0, rows: 0 };
  private latest = '';

  constructor(
    private readonly screen: Screen,
    private readonly now: () => number = () => performance.now(),
  ) {}

  update(step: keyof typeof titles, total: number, examined: number, changed: number | null): void {
    if (step !== this.step) {
      this.end();
      this.step = step;
      this.begun = { at: this.now(), rows: examined };
      this.drawnAt = this.screen.isTTY ? 0 : this.now();
    }
    this.latest = this.line(total, examined, changed);
    const every = this.screen.isTTY ? redrawMs : lineMs;
    if (this.now() - this.drawnAt >= every) this.draw();
  }

  /** Completes the line of the current step with its last state. */
  end(): void {
    if (this.step === null) return;
    this.draw();
    if (this.screen.isTTY) this.screen.write('\n');
    this.step = null;
  }

  /** Writes a sentence between the progress lines. */
  say(sentence: string): void {
    this.end();
    this.screen.write(`${sentence}\n`);
  }

  private draw(): void {
    this.drawnAt = this.now();
    this.screen.write(this.screen.isTTY ? `\r\x1b[K${this.latest}` : `${this.latest}\n`);
  }

  private line(total: number, examined: number, changed: number | null): string {
    const share = total > 0 ? Math.min(1, examined / total) : 1;
    const seconds = (this.now() - this.begun.at) / 1_000;
    const rate = seconds > 0 ? (examined - this.begun.rows) / seconds : 0;
    const left = rate > 0 ? `, ${Math.ceil(Math.max(0, total - examined) / rate)} s left` : '';
    const filled = Math.round(share * width);
    return [
      titles[this.step ?? 'dry run'].padEnd(28),
      this.screen.isTTY ? `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ` : '',
      `${Math.floor(share * 100)} %`.padStart(5),
      `  ${number.format(examined)} rows`,
      changed === null ? '' : `, ${number.format(changed)} changed`,
      `, ${number.format(Math.round(rate))} rows/s${share < 1 ? left : ''}`,
    ].join('');
  }
}
