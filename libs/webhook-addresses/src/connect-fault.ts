/** A connect that failed. Errors of the socket itself are passed on as they are. */
export class ConnectFault extends Error {
  override readonly name = 'ConnectFault';
  constructor(
    readonly reason:
      | 'dns_error'
      | 'blocked_address'
      | 'connection_failed'
      | 'connection_reset'
      | 'tls_error'
      | 'timeout'
      | 'proxy_error',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
