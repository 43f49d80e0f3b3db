import { renameSync, statSync } from 'node:fs';
import { contextOfRun } from '@partner-portal/core/tracing/trace-context.ts';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type Log = Logger;

/** Members that may contain a secret, up to two levels deep. */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-callback-token',
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'tempToken',
  'accessToken',
  'callbackToken',
  'secret',
  'clientSecret',
  'apiKey',
  'authToken',
  'data',
];

/**
 * Creates the log: JSON lines on standard output, secrets redacted, tokens removed from addresses. `isTraced`: lines about a run name its trace.
 * `destination` replaces standard output in tests.
 */
export function createLog(level: string, destination?: DestinationStream, { isTraced = false } = {}): Log {
  const paths = SECRET_MEMBERS.flatMap((member) => [`["${member}"]`, `*["${member}"]`, `*.*["${member}"]`]);
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), ...(isTraced ? { log: withTrace } : {}) },
    redact: { paths, censor: '[secret]' },
    serializers: { err: serializeError, url: stripToken },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Adds the trace of the run that a line is about, unless the line names a span itself. */
function withTrace(fields: Record<string, unknown>): Record<string, unknown> {
  const { executionId } = fields;
  if (typeof executionId !== 'string' || 'trace_id' in fields) return fields;
  const { traceId, spanId } = contextOfRun(executionId);
  return { ...fields, trace_id: traceId, span_id: spanId };
}

/** Size limit of each of the two files, exceeded by at most one buffered write. */
export const LOG_FILE_BYTES_MAX = 20 * 1024 * 1024;

/** Lines that wait while the disk is full; further ones are dropped. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Opens a log file, readable by the service's account only. A full file is rotated to `<path>.1`, replacing the previous one, so that the
 * disk does not fill up. While it cannot be written, lines wait in memory, and standard error says so once.
 */
export function openLogFile(path: string, { bytesMax = LOG_FILE_BYTES_MAX } = {}): ReturnType<typeof pino.destination> {
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > bytesMax && rotate(path)) bytes = 0;
  const file = pino.destination({ dest: path, sync: false, mkdir: true, mode: 0o600, maxLength: WAITING_BYTES_MAX });
  let isFailing = false;
  file.on('error', (error: Error) => {
    if (!isFailing) process.stderr.write(`The log file cannot be written: ${error.message}\n`);
    isFailing = true;
  });
  // At the exit the library would write what waits until it succeeds, which on a full disk it never does. Before its own listener.
  process.prependListener('exit', () => {
    if (isFailing) file.destroy();
  });
  file.on('write', (written: number) => {
    isFailing = false;
    bytes += written;
    if (bytes <= bytesMax) return;
    bytes = 0;
    // The current write goes to the rotated file, the next one to the new file.
    if (rotate(path)) file.reopen();
  });
  return file;
}

/** A file that cannot be rotated is still written to: logging must not end the service. */
function rotate(path: string): boolean {
  try {
    renameSync(path, `${path}.1`);
    return true;
  } catch {
    return false;
  }
}

/** Removes the value of `?token=`, the tokens in paths, the ids that visitors prove themselves with and the contacts of stop lists from an address. */
export function stripToken<T>(address: T): T | string {
  if (typeof address !== 'string') return address;
  return address
    .replace(/([?&]token=)[^&#\s]*/g, '$1[secret]')
    .replace(/^((?:https?:\/\/[^/]+)?\/(?:invite|invitations\/token)\/)[^?#\s]+/, '$1[secret]')
    .replace(/^((?:https?:\/\/[^/]+)?\/chatbot\/public\/[^/?#\s]+\/conversations\/)[^/?#\s]+/, '$1[secret]')
    .replace(/^((?:https?:\/\/[^/]+)?\/clients\/[^/?#\s]+\/stop-list\/)(?!export\.csv(?:[?#]|$))[^?#\s]+/, '$1[contact]');
}

/** Removes the values of the refused row, which database errors contain. */
function serializeError(error: Error): object {
  const { detail: _detail, where: _where, internalQuery: _query, ...rest } = stdSerializers.errWithCause(error) as Record<string, unknown>; // pino's own shape, members picked by name
  return rest;
}
