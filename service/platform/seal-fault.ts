/** Stored bytes that cannot be opened: the row was changed or moved, or its master key was removed too early. For the log. */
export class SealFault extends Error {
  readonly problem: string;
  constructor(what: string, problem: string) {
    super(`${what} cannot be opened (${problem}).`);
    this.name = 'SealFault';
    this.problem = problem;
  }
}
