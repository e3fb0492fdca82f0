/** Methods of the API; TRACE, CONNECT and the like are nobody's. */
export const allowedMethods: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
]);

/** The same as the value of `Allow`. */
export const allow = [...allowedMethods].join(', ');
