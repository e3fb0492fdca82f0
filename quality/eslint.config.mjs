import product, { workspaces } from '../eslint.config.mjs';

/** The rules of the product, for this workspace. From the root: `eslint -c quality/eslint.config.mjs quality`. */
export default product.filter((config) => config !== workspaces);
