/** SQLSTATEs of a server that shuts down, starts, or has no more room; class 08 are lost connections, class 53 exhausted resources. */
const STATES = /^(?:08...|53...|57P0[1-5])$/;
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
 * Returns whether an error means that a statement, or a transaction, was stopped at the longest time it may take. The same one would take as long
 * again. After a transaction its connection is closed.
 */
export function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return error.code === '25P04' || (error.code === '57014' && error.message.endsWith('due to statement timeout'));
}
