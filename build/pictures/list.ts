import { fileOf, modes, pictures, type Mode } from './pictures';

const marks = ['<!-- pictures -->', '<!-- end of pictures -->'] as const;

/** The pictures as a table of links: a row for each page, a column for each mode. */
export function listOfPictures(): string {
  const header = ['Page', ...modes.map(titleOf)];
  const rows = pictures.map((picture) => [
    picture.about,
    ...modes.map((mode) => `[${mode.width}](${fileOf(picture, mode)})`),
  ]);
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

const titleOf = ({ colorScheme, width }: Mode) => `${colorScheme}, ${width} px`;

/** Replaces what is between the marks of a page. @throws {Error} if it has no marks */
export function replaceList(page: string, list: string): string {
  const [begin, end] = marks.map((mark) => page.indexOf(mark)) as [number, number];
  if (begin < 0 || end < begin) throw new Error(`The page needs ${marks.join(' and ')}.`);
  return `${page.slice(0, begin + marks[0].length)}\n\n${list}\n\n${page.slice(end)}`;
}
