import { statfs } from 'node:fs/promises';
import { StartError } from '../start-error.ts';
import { hasCode } from './postgres-binaries.ts';

/** Returns a file system error of the data folder as one sentence to act on. */
export function unusableFolder(dataDir: string, cause: unknown): StartError {
  if (hasCode(cause, 'ENOSPC') || hasCode(cause, 'EDQUOT')) {
    return new StartError(`The disk that holds ${dataDir} is full. Free some space, or choose another DATA_DIR.`, { cause });
  }
  if (hasCode(cause, 'EROFS') || hasCode(cause, 'EACCES') || hasCode(cause, 'EPERM')) {
    return new StartError(`${dataDir} cannot be written. Make it writable, or choose another DATA_DIR.`, { cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StartError(`${dataDir} cannot be used for the database: ${reason}`, { cause });
}

/** Returns what the server or initdb printed before it failed as one sentence to act on. `what` is, for example, "did not start". */
export async function explainServerFailure(
  place: { dataDir: string; clusterDir: string; logFile: string },
  output: string,
  what: string,
): Promise<StartError> {
  const space = await statfs(place.dataDir).catch(() => null);
  if (/No space left on device|Disk quota exceeded/i.test(output) || (space && space.bavail * space.bsize < 1024 * 1024)) {
    return new StartError(`The disk that holds ${place.dataDir} is full. Free some space, or choose another DATA_DIR.`);
  }
  if (/Read-only file system/i.test(output)) {
    return new StartError(`${place.dataDir} cannot be written. Make it writable, or choose another DATA_DIR.`);
  }
  if (/could not look up effective user/i.test(output)) {
    return new StartError(
      'PostgreSQL needs an account name for the current user id, and there is none in /etc/passwd. Add one, or set DATABASE_URL.',
    );
  }
  const last = output.trim().split('\n').slice(-3).join(' | ');
  return new StartError(`The PostgreSQL database in ${place.clusterDir} ${what}: ${last || 'no message'} (see ${place.logFile})`);
}
