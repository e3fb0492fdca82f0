import type { FuzzRequest } from './requests';
import type { World } from './world';

const longest = 1_500;

/** A request as a command for a shell; `$GATEWAY` and the tokens (`$ADMIN`) are to be filled in. */
export function asCurl({ method, target, headers, body }: FuzzRequest, { tokens }: World): string {
  const named = Object.entries(headers).map(([name, value]) => {
    const owner = Object.entries(tokens).find(([, token]) => value === `Bearer ${token}`)?.[0];
    return owner === undefined
      ? `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`
      : `-H "${name}: Bearer $${owner.toUpperCase()}"`;
  });
  const data = body === null ? [] : [`--data-binary ${quoted(body.toString('latin1'))}`];
  const parts = [`-X ${method}`, '--path-as-is -g', `"$GATEWAY"${quoted(target)}`, ...named, ...data];
  return `curl -i ${parts.join(' ')}`;
}

/** Bytes as they are, in the quotes of bash that know escapes; what is one character many times is written shorter. */
function quoted(latin1: string): string {
  const parts = latin1.split(/((?<repeated>.)\k<repeated>{99,})/s);
  return parts
    .flatMap((part, n) => {
      if (n % 3 === 0) return part === '' && parts.length > 1 ? [] : [`$'${escaped(part)}'`];
      return n % 3 === 1 ? [`"$(printf '${escaped(part[0]!)}%.0s' {1..${part.length}})"`] : [];
    })
    .join('');
}

function escaped(latin1: string): string {
  const shown = latin1.length > longest ? `${latin1.slice(0, longest)}…` : latin1;
  return shown
    .replaceAll(/[\\']/g, '\\$&')
    .replaceAll(/[^ -~…]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
