import { renameSync, statSync } from 'node:fs';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type Log = Logger;

/** Members that may carry a secret, wherever they stand one or two levels deep. */
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
 * The service's own voice: JSON lines on standard output, secrets struck out, tokens taken out of addresses.
 * `destination` replaces standard output in tests.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const paths = SECRET_MEMBERS.flatMap((member) => [`["${member}"]`, `*["${member}"]`, `*.*["${member}"]`]);
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths, censor: '[secret]' },
    serializers: { err: serializeError, url: stripToken },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Of each of the two files that are kept, but for one write of the log's own buffer. */
const LOG_FILE_BYTES_MAX = 20 * 1024 * 1024;

/**
 * A file for the log, made with its folder. It names people and addresses, so only the account the service runs as reads it. A full one is
 * put aside as `<path>.1`, in place of the one before, so that a service that runs for months does not fill the disk.
 */
export function openLogFile(path: string, { bytesMax = LOG_FILE_BYTES_MAX } = {}): ReturnType<typeof pino.destination> {
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > bytesMax && putAside(path)) bytes = 0;
  const file = pino.destination({ dest: path, sync: false, mkdir: true, mode: 0o600 });
  file.on('write', (written: number) => {
    bytes += written;
    if (bytes <= bytesMax) return;
    bytes = 0;
    // What is being written goes into the file that was put aside, the next write into the new one.
    if (putAside(path)) file.reopen();
  });
  return file;
}

/** A file that cannot be moved is written on: the log must not be what ends the service. */
function putAside(path: string): boolean {
  try {
    renameSync(path, `${path}.1`);
    return true;
  } catch {
    return false;
  }
}

/** Takes the value of `?token=` and of links that are a key in themselves (invitations) out of an address; everything else stays readable. */
export function stripToken<T>(address: T): T | string {
  if (typeof address !== 'string') return address;
  return address
    .replace(/([?&]token=)[^&#\s]*/g, '$1[secret]')
    .replace(/^((?:https?:\/\/[^/]+)?\/(?:invite|invitations\/token)\/)[^?#\s]+/, '$1[secret]');
}

/** Database errors carry the values of the refused row; those never reach the log. */
function serializeError(error: Error): object {
  const { detail: _detail, where: _where, internalQuery: _query, ...rest } = stdSerializers.errWithCause(error) as Record<string, unknown>; // pino's own shape, members picked by name
  return rest;
}
