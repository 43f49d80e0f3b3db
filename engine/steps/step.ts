/** A step that could not do its work; `detail` joins the JSON error text that flows read at `step['error'].message`. */
export class StepError extends Error {
  readonly detail: Record<string, unknown>;

  constructor(message: string, detail: Record<string, unknown> = {}) {
    super(message);
    this.detail = detail;
  }
}

/**
 * The error text of a failed step. The recorded engine adds a stack with server paths under `raw`; ours repeats the
 * message there, so that nothing of the machine leaves through a run log.
 */
export function errorText(thrown: unknown): string {
  if (thrown instanceof StepError) {
    const name = typeof thrown.detail['errorName'] === 'string' ? thrown.detail['errorName'] : 'Error';
    return JSON.stringify({ __apErrorVersion: 1, message: thrown.message, ...thrown.detail, raw: `${name}: ${thrown.message}` });
  }
  return JSON.stringify({ __apErrorVersion: 1, message: 'The step failed for an unknown reason', raw: 'Error' });
}

/** A size as an error states it, for example "2 MiB" or "546 KiB". */
export function kibOf(bytes: number): string {
  return bytes % (1024 * 1024) === 0 ? `${bytes / (1024 * 1024)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}
