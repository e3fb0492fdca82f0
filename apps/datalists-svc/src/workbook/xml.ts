import { SaxesParser } from 'saxes';
import { damaged, WorkbookError } from './workbook-error';

/** Attributes by their names, as they are written. */
export type Attributes = Readonly<Record<string, string>>;

/** What happens at the parts of an XML text. Names are without their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

const maxDepth = 100;
/** Longest text between two tags, and longest tag, in UTF-16 units. */
const maxToken = 1024 * 1024;

/** Reads XML in pieces. Limits what an unfinished tag, text or comment keeps in memory. */
export class XmlReader {
  private readonly parser = new SaxesParser<{ xmlns: false; position: false }>({
    xmlns: false,
    position: false,
  });
  private depth = 0;
  /** Text since the last event. */
  private pending = 0;

  constructor({ open, text, close }: XmlHandler) {
    const { parser } = this;
    parser.on('error', ({ message }) => {
      throw damaged(`its XML is wrong (${message})`);
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.pending = 0;
      this.depth += 1;
      if (this.depth > maxDepth) throw damaged('its XML is nested too deep');
      open?.(localName(name), attributes);
    });
    parser.on('closetag', ({ name }) => {
      this.pending = 0;
      this.depth -= 1;
      close?.(localName(name));
    });
    const take = (piece: string) => {
      this.pending = 0;
      text?.(piece);
    };
    parser.on('text', take);
    parser.on('cdata', take);
    parser.on('comment', () => (this.pending = 0));
  }

  /** @throws {WorkbookError} */
  push(piece: string): void {
    this.pending += piece.length;
    this.parser.write(piece);
    if (this.pending > maxToken)
      throw new WorkbookError('workbook_too_large', 'The workbook has a text that is too long.');
  }

  /** @throws {WorkbookError} */
  end(): void {
    this.parser.close();
  }
}

/** Reads a whole XML text. @throws {WorkbookError} */
export async function readXml(pieces: AsyncIterable<string>, handler: XmlHandler): Promise<void> {
  const reader = new XmlReader(handler);
  for await (const piece of pieces) reader.push(piece);
  reader.end();
}

/** Some programs write `x:row` for `row`. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute by its name without prefix: `r:id`, and `d3p1:id` of other programs. */
export const prefixed = (attributes: Attributes, name: string): string | undefined =>
  Object.entries(attributes).find(([own]) => own.endsWith(`:${name}`))?.[1];
