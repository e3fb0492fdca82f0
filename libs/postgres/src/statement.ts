/** SQL that Postgres parses and plans once per connection (a named prepared statement). */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const known = new Map<string, string>();

/**
 * Declares a named prepared statement; call it at module level. The name is unique in the process and at most
 * 63 bytes long. Postgres truncates longer names, and two equal truncated names would run the wrong SQL.
 */
export function statement(name: string, text: string): Statement {
  if (Buffer.byteLength(name) > 63) throw new Error(`Statement name ${name} is longer than 63 bytes.`);
  const other = known.get(name);
  if (other !== undefined && other !== text) throw new Error(`Two statements are named ${name}.`);
  known.set(name, text);
  return { name, text };
}
