/** The path of this script: `/console/assets/index-….js`, behind the path prefix if there is one. */
const ownPath = new URL(import.meta.url).pathname;

/** The path of the console without a slash at its end: `/console`, or `/forms/canvass/console`. */
export const consolePath = ownPath.split('/').slice(0, -2).join('/');

/** The path prefix of the installation, with which each path of the API begins; empty without one. */
export const pathPrefix = consolePath.slice(0, -'/console'.length);

/** A name in the storage and channels of the browser, which installations of one origin share. */
export const ownName = (name: string): string => (pathPrefix === '' ? name : `${name} ${pathPrefix}`);
