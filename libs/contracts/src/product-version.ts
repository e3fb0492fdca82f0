/** Version of the product, the same as in package.json; a spec holds them together. */
export const productVersion = '0.1.0';
