/** `Content-Disposition` of a download, with its file name in both forms of RFC 6266: plain ASCII, and UTF-8. */
export function attachment(name: string, extension: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Surrogate}/\\:*?"<>|\s]+/gu, ' ').trim();
  const base = [...clean].slice(0, 100).join('') || 'export';
  const plain = base.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  const ascii = plain.replace(/[^ -~]+|[%;]/g, '_');
  const hex = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  const utf8 = encodeURIComponent(base).replace(/['()*]/g, hex);
  return `attachment; filename="${ascii}.${extension}"; filename*=UTF-8''${utf8}.${extension}`;
}
