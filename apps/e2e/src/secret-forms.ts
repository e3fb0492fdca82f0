/**
 * The ways in which a secret lies in a text for everybody to read: as it is, within JSON or a URL, in
 * hexadecimal, in base64 of something that contains it. By name, so that a test can tell which one it found.
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
  // What came before the secret decides at which of three places in base64's groups of three bytes it begins.
  for (const before of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    forms.set(`base64, ${before} before`, own);
    forms.set(`base64url, ${before} before`, own.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** `name (form)` of every secret that can be read in the text, and nothing of its value. */
export function readable(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    [...formsOf(secret)].filter(([, form]) => text.includes(form)).map(([form]) => `${name} (${form})`),
  );
}
