import { inspect } from 'node:util';

const MASK = '[secret]';

/** A value that must not reach a log, an error or a response: it prints as `[secret]`, and only `reveal()` returns it. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return MASK;
  }
  toJSON(): string {
    return MASK;
  }
  [inspect.custom](): string {
    return MASK;
  }
}
