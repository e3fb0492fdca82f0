/** `Content-Disposition` of a download, with the file name in both forms of RFC 6266: ASCII and UTF-8. */
export function attachment(name: string, extension: string): string {
  // NFKC first: it turns compatibility forms (`＂`, `／`) into quotes and slashes, which `fileName` then
  // removes.
  const shown = fileName(name.normalize('NFKC'));
  const plain = shown.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  const ascii = fileName(plain).replace(/[^ -~]+|[%;]/g, '_');
  const hex = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  const utf8 = encodeURIComponent(shown).replace(/['()*]/g, hex);
  return `attachment; filename="${ascii}.${extension}"; filename*=UTF-8''${utf8}.${extension}`;
}

function fileName(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Surrogate}/\\:*?"<>|\s]+/gu, ' ').trim();
  return [...clean].slice(0, 100).join('').trim() || 'export';
}
