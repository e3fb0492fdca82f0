import { notFound, Problem } from '@canvass/errors';

/** A request target (RFC 9112, section 3.2). The gateway and the services read it alike. */
export interface Target {
  /** Path and query in origin form, byte for byte as the client wrote them. */
  pathAndQuery: string;
  /** The path as it was sent, without one slash at the end. */
  path: string;
  /** The segments, not decoded. */
  segments: string[];
}

/** RFC 3986 `pchar`, with complete percent-encodings only. */
const segmentForm = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*$/;
/** Dots and separators, also behind a second encoding or before a path parameter (`..;x`). */
const climbs = /^\.{1,2}(?:;.*)?$/;
// Control characters are intended here. In a regular expression literal eslint would refuse them.
const separators = new RegExp('[/\\\\\\u0000-\\u001f\\u007f]|%(?:2e|2f|5c|00|25)', 'i');

/**
 * Reads the target of a request. Of the absolute form (`GET http://host/path`) only path and query count.
 *
 * Returns a problem for a target that is refused. It is not thrown, because such a request gets a log line
 * first. `malformed_request`: the path has a wrong percent-encoding, a dot segment or an encoded separator.
 * `not_found`: a segment is empty. Nothing is normalised.
 */
export function readTarget(target: string): Target | Problem {
  try {
    return parse(target);
  } catch (error) {
    return error as Problem;
  }
}

function parse(target: string): Target {
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? '';
  const rest = target.slice(origin.length);
  const pathAndQuery = rest.startsWith('/') ? rest : `/${rest}`;
  if (pathAndQuery.includes('#')) throw malformed('The request target has a fragment.');

  const queryAt = pathAndQuery.indexOf('?');
  const path = queryAt < 0 ? pathAndQuery : pathAndQuery.slice(0, queryAt);
  const segments = path.split('/').slice(1);
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  for (const segment of segments) checkSegment(segment);
  // After the spelling: `//..` is malformed first and unknown second.
  if (path !== '/' && segments.includes('')) throw notFound('resource');
  return { pathAndQuery, path: `/${segments.join('/')}`, segments };
}

function checkSegment(segment: string): void {
  if (!segmentForm.test(segment)) {
    throw malformed('The path has a character that must be percent-encoded, or a wrong percent-encoding.');
  }
  if (!segment.includes('%') && !segment.startsWith('.')) return;
  const decoded = decode(segment);
  if (climbs.test(decoded) || separators.test(decoded)) {
    throw malformed('The path has a dot segment or an encoded separator.');
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformed('The path has a percent-encoding that is not UTF-8.');
  }
}

function malformed(detail: string): Problem {
  return new Problem('malformed_request', { detail });
}
