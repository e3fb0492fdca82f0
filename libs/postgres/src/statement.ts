/** A statement with its parameters, and `Row`, the type of its rows. */
export interface BoundStatement<Row> {
  /** Name of the prepared statement. */
  readonly name: string;
  /** SQL with the positional parameters $1, $2, …. */
  readonly text: string;
  readonly values: readonly unknown[];
  /** Numbers in JSON columns keep their text (`readJson`). */
  readonly keepsNumbers?: boolean;
  /** Never set: it only carries the type. */
  readonly row?: Row;
}

/** Rejects members that `Params` does not have, also of an object that is not written in place. */
type Exactly<Params, Given> = Given & { readonly [Extra in Exclude<keyof Given, keyof Params>]: never };

/** Call it with the parameters to get what `query` takes. A missing or further parameter does not compile. */
export type Statement<Params, Row> = ([Params] extends [void]
  ? () => BoundStatement<Row>
  : <Given extends Params>(params: Exactly<Params, Given>) => BoundStatement<Row>) & {
  /** SQL with positional parameters, in the order in which the names first occur. */
  readonly text: string;
};

/** The input of `query`: SQL and the type of its rows. A statement without a name is not prepared. */
export type Sql<Row> =
  BoundStatement<Row> | (Omit<BoundStatement<Row>, 'name'> & { name?: undefined }) | string;

const known = new Map<string, string>();

/**
 * Declares a named prepared statement, which Postgres parses and plans once per connection; call it at module
 * level. Values are encoded as by pg: arrays as arrays, null and undefined as null. Pass JSON as text.
 *
 * @param name unique in the process, at most 63 bytes: Postgres truncates longer names, and two equal
 * truncated names would run the wrong SQL
 * @param sql with the parameters `$name` of `Params`, each any number of times
 * @param options `keepsNumbers`: numbers in JSON columns keep their text, for `writeJson` of
 * `@canvass/json-numbers`
 */
export function statement<Params = void, Row = never>(
  name: string,
  sql: string,
  { keepsNumbers }: { keepsNumbers?: boolean } = {},
): Statement<Params, Row> {
  const parameters: string[] = [];
  const text = sql.replace(/\$([a-z]\w*)/gi, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  register(name, text);
  const bind = (params: Readonly<Record<string, unknown>> = {}): BoundStatement<Row> => ({
    name,
    text,
    ...(keepsNumbers && { keepsNumbers }),
    values: parameters.map((parameter) => {
      if (!(parameter in params)) throw new Error(`The statement ${name} has no value for $${parameter}.`);
      return params[parameter];
    }),
  });
  return Object.assign(bind, { text }) as unknown as Statement<Params, Row>;
}

function register(name: string, text: string): void {
  if (Buffer.byteLength(name) > 63) throw new Error(`Statement name ${name} is longer than 63 bytes.`);
  const other = known.get(name);
  if (other !== undefined && other !== text) throw new Error(`Two statements are named ${name}.`);
  known.set(name, text);
}
