import type { HostedPage } from '@canvass/contracts';
import Joi from 'joi';

/** An id is digits only, so that no slug can be one. */
export const slugSchema = Joi.string()
  .pattern(/^(?=.*[a-z-])[a-z0-9-]{3,64}$/)
  .messages({
    'string.pattern.base': 'must be 3 to 64 characters a to z, 0 to 9 and "-", not only digits',
  });

const hostPattern = String.raw`(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::[1-9][0-9]{0,4})?`;
const host = new RegExp(`^${hostPattern}$`);
/** It becomes a part of a header: no other characters than those of an origin. */
const origin = new RegExp(
  `^https://${hostPattern}$|^http://(?:localhost|127\\.0\\.0\\.1)(?::[1-9][0-9]{0,4})?$`,
);
/** Returns whether a browser writes the origin in another way, or not at all: `https://a.example:443`. */
const isOdd = (text: string): boolean =>
  origin.test(text) && (!URL.canParse(text) || new URL(text).origin !== text);

/** The most characters of a data URL of an image of 64 KiB. */
const maxLogo = 'data:image/svg+xml;base64,'.length + 4 * Math.ceil((64 * 1024) / 3);

/**
 * How the page of a form looks and what it may do. The logo is a data URL: the page loads nothing from other
 * origins, and an SVG in an image runs no scripts.
 */
export const pageSchema = Joi.object<HostedPage>({
  logo: Joi.string()
    .max(maxLogo)
    .pattern(/^data:image\/(png|jpeg|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/)
    .messages({ 'string.pattern.base': 'must be a data URL in base64 of a PNG, JPEG or SVG image' })
    .allow(null)
    .default(null)
    .description('data URL in base64 of a PNG, JPEG or SVG image of at most 64 KiB'),
  accent: Joi.string()
    .pattern(/^#[0-9a-fA-F]{6}$/)
    .messages({ 'string.pattern.base': 'must be a colour such as "#0f766e"' })
    .allow(null)
    .default(null)
    .description('colour of buttons; the page makes it lighter or darker until it can be read'),
  scheme: Joi.string()
    .valid('auto', 'light', 'dark')
    .default('auto')
    .description('`auto`: as the browser prefers'),
  frameAncestors: Joi.array()
    .items(
      Joi.string()
        .pattern(origin)
        .custom((text: string, helpers) => (isOdd(text) ? helpers.error('string.pattern.base') : text))
        .messages({
          'string.pattern.base':
            'must be an origin such as "https://www.example.org" or "http://localhost:8080"',
        }),
    )
    .unique()
    .max(20)
    .default([])
    .description('origins whose pages may embed the page'),
  redirectTo: Joi.string()
    .max(2000)
    .uri({ scheme: 'https' })
    .allow(null)
    .default(null)
    .description('https address to which respondents go after the completion'),
  redirectHosts: Joi.array()
    .items(
      Joi.string()
        .pattern(host)
        .messages({ 'string.pattern.base': 'must be a host such as "www.example.org"' }),
    )
    .unique()
    .max(20)
    .default([])
    .description(
      'further hosts to which `navigateToUrl` of the definition may lead; that of `redirectTo` is one',
    ),
})
  .description('the page at `/f/{formId}`; null: as it is without settings')
  .example({ accent: '#0f766e', frameAncestors: ['https://www.example.org'] });
