/** Made by vite.config.mts from the OpenAPI document. */
declare module 'virtual:permissions' {
  /** The permission that an operation needs, by operation id. */
  const permissions: Readonly<Record<string, string>>;
  export default permissions;
  /** The operations of identity-svc, which an installation may not have. */
  export const ofIdentity: readonly string[];
}
