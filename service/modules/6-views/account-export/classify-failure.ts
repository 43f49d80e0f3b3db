import { FileTooLarge } from '#modules/1-ledger/files/index.ts';
import { isDatabaseUnavailable } from '#platform/db/unavailable.ts';

export type ExportFailure = { cause: 'disk_full' | 'too_large' | 'database' | 'bug'; message: string };

export const FAILURE_TEXTS: Readonly<Record<ExportFailure['cause'], string>> = {
  disk_full: 'There was not enough room to store the file. Our team has been notified. Try again later.',
  too_large: 'The data is larger than one file may be. Export clients one by one.',
  database: 'The database did not answer for some time. Try again.',
  bug: 'The export could not be made because of an error on our side. Try again later.',
};

/** SQLSTATEs of statements that the server ended: serialization, deadlock, statement or idle timeout, ended connection. */
const ENDED = /^(?:40...|57...|25P0.)$/;

/** Separates what the operator can change from a bug. The message is for the people of the account. */
export function classifyFailure(error: unknown): ExportFailure {
  const cause = causeOf(error);
  return { cause, message: FAILURE_TEXTS[cause] };
}

function causeOf(error: unknown): ExportFailure['cause'] {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '53100' || code === 'ENOSPC') return 'disk_full';
  if (error instanceof FileTooLarge) return 'too_large';
  return isDatabaseUnavailable(error) || ENDED.test(code) ? 'database' : 'bug';
}
