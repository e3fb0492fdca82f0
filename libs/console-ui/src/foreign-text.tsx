import { Fragment } from 'react';

/** Most characters of a text in a list. The whole text is on the page of the record. */
const maxLength = 200;

/**
 * Text of strangers: its direction does not reach beyond it, and characters that are invisible or change the
 * direction are shown as signs. An address breaks between its parts.
 */
export function ForeignText({ children, isCut = false }: { children: string; isCut?: boolean }) {
  const characters = isCut ? [...children.slice(0, 2 * maxLength)] : null;
  const text =
    characters !== null && (characters.length > maxLength || children.length > 2 * maxLength)
      ? `${characters.slice(0, maxLength).join('')}…`
      : children;
  return <bdi>{partsOf(visible(text))}</bdi>;
}

const sign = '\u{fffd}';
/** Control characters except line breaks and tabs, and those that set a direction. */
const invisible = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]',
  'g',
);

/** The text with a sign in place of each invisible character. */
const visible = (text: string): string => text.replace(invisible, sign);

const address = /\bhttps?:\/\//;
/** A part with what ends it, not at `//` or within a number with dots. One that is long ends anywhere. */
const part = /.{1,24}?(?:[-/_?&=](?<!\/\/)(?!\/)|\.(?!\d)|(?=:\d)|$)|.{1,24}/gsu;

const partsOf = (text: string) =>
  address.test(text)
    ? text.match(part)!.map((own, index) => (
        // The parts have no identity of their own.
        <Fragment key={index}>
          {own}
          <wbr />
        </Fragment>
      ))
    : text;
