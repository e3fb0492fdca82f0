import { pathPrefix } from '../base';

/** The path below which the gateway serves pages of forms, for pages of this and of other origins. */
export const pagesAt = `${location.origin}${pathPrefix}/f`;

/** The address of the page on which respondents answer a form. */
export const pageAddress = ({ id, slug }: { id: string; slug?: string | null }): string =>
  `${pagesAt}/${slug ?? id}`;
