/**
 * The readable encodings of a secret, by name: clear, in JSON, in a URL, in hexadecimal, and in the base64 of
 * a text that contains it.
 */
export function formsOf(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const forms = new Map([
    ['clear', secret],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['URL', encodeURIComponent(secret)],
    ['URL, every byte', hex.replace(/../g, '%$&')],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
  ]);
  // base64 encodes groups of three bytes, so the encoding depends on the number of bytes before the secret,
  // modulo 3.
  for (const before of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    forms.set(`base64, ${before} before`, own);
    forms.set(`base64url, ${before} before`, own.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** `name (encoding)` of every secret that is readable in the text, without its value. */
export function readable(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    [...formsOf(secret)].filter(([, form]) => text.includes(form)).map(([form]) => `${name} (${form})`),
  );
}
