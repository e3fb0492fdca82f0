import { fileOf, modes, pictures } from './pictures';

const marks = ['<!-- pictures -->', '<!-- end of pictures -->'] as const;

/** The pictures as links, each to the light and wide one. */
export const listOfPictures = (): string =>
  pictures.map((picture) => `- [${picture.about}](${fileOf(picture, modes[0]!)})`).join('\n');

/** Replaces what is between the marks of a page. @throws {Error} if it has no marks */
export function replaceList(page: string, list: string): string {
  const [begin, end] = marks.map((mark) => page.indexOf(mark)) as [number, number];
  if (begin < 0 || end < begin) throw new Error(`The page needs ${marks.join(' and ')}.`);
  return `${page.slice(0, begin + marks[0].length)}\n\n${list}\n\n${page.slice(end)}`;
}
