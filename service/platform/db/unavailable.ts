/** SQLSTATEs of a server that shuts down, starts, or has no more room; class 08 are lost connections, class 53 exhausted resources. */
const STATES = /^(?:08...|53...|57P0[1-5])$/;
/** SQLSTATE of a session that the server has ended because its transaction took too long. */
const TRANSACTION_TIMEOUT = '25P04';
/** System errors of a connection that cannot be opened or has broken. */
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const SOCKET_CALLS = new Set(['connect', 'read', 'write', 'getaddrinfo']);
/** Errors of the driver and its pool that have no code. */
const MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after calling end)/;

/** Returns whether an error means that the database cannot be reached now, so that the same request may succeed in a moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Each address of a host was tried.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isDatabaseUnavailable);
  const code = 'code' in error ? String(error.code) : '';
  if (STATES.test(code)) return true;
  if (SYSTEM_CODES.has(code)) return 'syscall' in error && SOCKET_CALLS.has(String(error.syscall));
  return MESSAGES.test(error.message);
}

/**
 * Returns the error of a transaction as it is, or that it took too long: the server ends the session also between two statements, and the next one finds a
 * connection that is lost. `leftMs`: how much of its time was left.
 */
export function explainLost(error: unknown, leftMs: number): unknown {
  if (leftMs > 0 || !isDatabaseUnavailable(error)) return error;
  return Object.assign(new Error('The transaction took too long.', { cause: error }), { code: TRANSACTION_TIMEOUT });
}

/**
 * Returns whether an error means that a statement, or a transaction, was stopped at the longest time it may take. The same one would take as long
 * again. After a transaction its connection is closed.
 */
export function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return error.code === TRANSACTION_TIMEOUT || (error.code === '57014' && error.message.endsWith('due to statement timeout'));
}
