import type { MediaPurpose, MediaType } from '@partner-portal/contract/vocabulary.ts';
import { FILE_PROBLEM_TEXTS } from '@partner-portal/core/media/file-problem.ts';
import { ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import { TurnRefusal } from '#platform/fair-turns.ts';
import { BUSY_RETRY_SECONDS, refuse, refuseField } from '#platform/refuse.ts';
import type { MediaDeps } from './deps.ts';
import type { inspectFile } from './inspect/inspect-file.ts';
import type { Inspection } from './inspect/inspection.ts';

const INSPECT = defineTask<typeof inspectFile>({
  file: new URL('./inspect/inspect-file.ts', import.meta.url),
  name: 'inspectFile',
  deadlineMs: 20_000,
});

/** Judges the bytes of an upload in a thread. Refuses `validation_failed` with what is wrong, and `service_unavailable` when it takes too long. */
export async function inspectUpload(
  { compute, turns }: MediaDeps,
  partnerId: string,
  file: { bytes: Uint8Array; type: MediaType; purpose: MediaPurpose },
): Promise<Exclude<Inspection, { kind: 'refused' }>> {
  const request = { key: partnerId, bytes: file.bytes.length };
  const inspection = await turns({ key: partnerId }, () => compute.run(INSPECT, file, request)).catch((error: unknown) => {
    if (!(error instanceof ComputeRefusal || error instanceof TurnRefusal)) throw error;
    return refuse('service_unavailable', {
      detail: 'The file could not be checked in time. Try again.',
      retryAfterSeconds: BUSY_RETRY_SECONDS,
      cause: error,
    });
  });
  return inspection.kind === 'refused' ? refuseField('file', inspection.problem, FILE_PROBLEM_TEXTS[inspection.problem]) : inspection;
}
