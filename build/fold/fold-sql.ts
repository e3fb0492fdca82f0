import { foldTables } from '@canvass/postgres';

const { letters, marks, punctuation } = foldTables;

/** Text of a literal; newlines and quotes are not in the tables. */
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The characters of a class, such as `[’‚‛]`. */
const membersOf = ({ source }: RegExp): string[] => [...source.slice(1, -1)];

/** The SQL of the function `fold`, from the tables of `fold.ts`. */
export function foldSql(): string {
  const signs = punctuation.flatMap(([pattern, sign]) => membersOf(pattern).map((member) => [member, sign]));
  const isDigit = (text: string) => /^[0-9]$/.test(text);
  const digits = Object.entries(letters).filter(([, text]) => isDigit(text));
  const single = Object.entries(letters).filter(([, text]) => [...text].length === 1 && !isDigit(text));
  const several = Object.entries(letters).filter(([, text]) => [...text].length > 1);
  const translated = (text: string, pairs: string[][]) =>
    `translate(${text}, ${literal(pairs.map(([from]) => from).join(''))},\n      ${literal(pairs.map(([, to]) => to).join(''))})`;
  const expanded = several.reduce(
    (text, [from, to]) => `replace(${text}, ${literal(from)}, ${literal(to)})`,
    'folded',
  );
  return `-- Made by \`npx tsx build/fold/main.ts\` from the tables of fold.ts. Do not edit.

-- The folded form of a text, as the search of data lists computes it: without case, accents and variants of letters.
-- An index of it needs a function that does not depend on the locale of the database.
create function fold(value text) returns text language plpgsql immutable strict parallel safe as $$
declare
  folded text := value;
begin
  if value ~ '[^\\t\\n\\r -~]' collate "C" then
    folded := ${translated('folded', signs)};
    folded := ${translated('normalize(folded, NFKD)', signs)};
    folded := lower(regexp_replace(folded, '${marks.source}' collate "C", '', 'g') collate pg_c_utf8);
    if folded ~ '[^\\t-\\r -~]' collate "C" then
      folded := ${translated('folded', single)};
      folded := normalize(${expanded}, NFC);
    end if;
    -- Each further character of this table costs time for each one of the text.
    if folded ~ ${literal(`[${digits.map(([from]) => from).join('')}]`)} collate "C" then
      folded := ${translated('folded', digits)};
    end if;
  else
    folded := lower(translate(value, '\`', '''') collate "C");
  end if;
  if folded ~ '\\s\\s|^\\s|\\s$|[\\t-\\r\\u1680\\u2028\\u2029]' collate "C" then
    folded := btrim(regexp_replace(folded, '[\\s\\u1680\\u2028\\u2029]+' collate "C", ' ', 'g'));
  end if;
  return folded;
end $$;
`;
}
