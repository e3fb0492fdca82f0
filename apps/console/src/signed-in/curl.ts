/** A command that reads the same. The token is a variable of the shell. */
export const curlOf = (origin: string, address: string): string =>
  // A quotation mark would end the argument.
  `curl -H "Authorization: Bearer $TOKEN" '${origin}${address.replaceAll("'", '%27')}'`;
