/**
 * Something the person who starts the service can put right: a taken port, a full disk, a bad setting.
 * Its message is complete on its own, so `main.ts` prints just the message and exits with 1; a stack
 * would only bury it.
 */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}
