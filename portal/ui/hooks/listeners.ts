/** Calls those who follow a value that is kept outside of React. */
export class Listeners extends Set<() => void> {
  /** Calls `listener` after each change, until the returned function is called; for `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.add(listener);
    return () => this.delete(listener);
  };

  notify(): void {
    for (const listener of this) listener();
  }
}
