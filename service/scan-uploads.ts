import { type MalwareScan, ScanFault } from '#adapters/malware-scan.ts';
import type { Log } from '#platform/log.ts';
import { AppError, refuseField } from '#platform/refuse.ts';

/** Refuses uploaded files with a finding (422), and every file while the scanner does not answer (503): nothing unscanned is kept. */
export function createFileScan(scanner: MalwareScan, log: Log) {
  return async (bytes: Buffer): Promise<void> => {
    let found: string | null;
    try {
      ({ found } = await scanner.scan(bytes));
    } catch (error) {
      if (!(error instanceof ScanFault)) throw error;
      log.error({ err: error }, 'an uploaded file could not be scanned');
      throw new AppError('service_unavailable', {
        detail: 'Files cannot be checked for malware right now, so none is accepted. Please try again in a minute.',
        retryAfterSeconds: 60,
      });
    }
    if (found === null) return;
    log.warn({ signature: found, bytes: bytes.length }, 'an uploaded file has malware');
    refuseField('file', 'infected', `The malware scanner found "${found}" in this file. Nothing of it was kept.`);
  };
}
