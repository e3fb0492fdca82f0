/** Most characters of a text in a list. The whole text is on the page of the record. */
const maxLength = 200;

/**
 * Text of strangers: its direction does not reach beyond it, and characters that are invisible or change the
 * direction are shown as signs.
 */
export function ForeignText({ children, isCut = false }: { children: string; isCut?: boolean }) {
  const characters = isCut ? [...children.slice(0, 2 * maxLength)] : null;
  const text =
    characters !== null && (characters.length > maxLength || children.length > 2 * maxLength)
      ? `${characters.slice(0, maxLength).join('')}…`
      : children;
  return <bdi>{visible(text)}</bdi>;
}

const sign = '\u{fffd}';
/** Control characters except line breaks and tabs, and those that set a direction. */
const invisible = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]',
  'g',
);

/** The text with a sign in place of each invisible character. */
const visible = (text: string): string => text.replace(invisible, sign);
