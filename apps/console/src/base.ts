/** The path of this script: `/console/assets/….js` or `/f/assets/….js`, behind the path prefix. */
const ownPath = new URL(import.meta.url).pathname;

/** The path prefix of the installation, with which each path of the API begins; empty without one. */
export const pathPrefix = ownPath.split('/').slice(0, -3).join('/');

/** The path of the console without a slash at its end: `/console`, or `/forms/canvass/console`. */
export const consolePath = `${pathPrefix}/console`;

/** A name in the storage and channels of the browser, which installations of one origin share. */
export const ownName = (name: string): string => (pathPrefix === '' ? name : `${name} ${pathPrefix}`);
