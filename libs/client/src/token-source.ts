/** The place where a client gets its access token. */
export interface TokenSource {
  get(): Promise<string>;
  /** The token was refused: the next `get` fetches another. */
  forget(): void;
}
