import type { HostedPage } from '@canvass/contracts';
import { createHash } from 'node:crypto';

/** The darkest ground in light, the lightest in dark, and the contrast that text needs on it. */
const grounds = {
  // White on the colour can then be read, too, also where a pointer makes it darker.
  light: { ground: '#f4f4f5', towards: 0, contrast: 4.5 },
  // Black on it.
  dark: { ground: '#1d1c20', towards: 255, contrast: 5.5 },
} as const;

/** The style sheet of a page with settings; null for a page without. */
export function themeOf(page: HostedPage | null): string | null {
  const { accent = null, scheme = 'auto' } = page ?? {};
  const rules = [
    scheme !== 'auto' && `:root:root{color-scheme:${scheme}}`,
    accent !== null &&
      `.sd-theme-root{--sjs2-color-project-brand-600:light-dark(${readable(accent, 'light')},${readable(accent, 'dark')});` +
        '--sjs2-color-fg-brand-on-primary:light-dark(#fff,#000)}',
  ].filter((rule) => rule !== false);
  return rules.length === 0 ? null : rules.join('');
}

/** The source of a style sheet in a content security policy. */
export const hashOf = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** A colour, darker or lighter until it can be read. */
export function readable(colour: string, scheme: keyof typeof grounds): string {
  const { ground, towards, contrast } = grounds[scheme];
  const from = channelsOf(colour);
  for (let part = 0; ; part += 0.02) {
    const mixed = from.map((channel) => Math.round(channel + (towards - channel) * Math.min(part, 1)));
    if (contrastOf(mixed, channelsOf(ground)) >= contrast)
      return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  }
}

const channelsOf = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** The contrast of two colours (WCAG 2.2). */
function contrastOf(...colours: [number[], number[]]): number {
  const [darker, lighter] = colours.map(luminanceOf).sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminanceOf(channels: number[]): number {
  const [red, green, blue] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
