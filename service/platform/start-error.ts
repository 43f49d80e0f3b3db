/**
 * A problem the operator can fix: a used port, a full disk, a bad setting. `main.ts` prints only its message, which is complete, and exits
 * with 1.
 */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}
