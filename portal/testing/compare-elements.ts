import assert from 'node:assert/strict';
import { inspect } from 'node:util';

type Comparison = (actual: unknown, expected: unknown, message?: string | Error) => void;

const OPENING_TAG = /^<[^>]*>/;

/**
 * Lets a failed comparison of elements name them. Node prints both with all that they refer to, which is the document and the window: that takes minutes
 * and gigabytes.
 */
export function nameComparedElements(): void {
  for (const name of ['equal', 'strictEqual', 'notEqual', 'notStrictEqual'] as const) {
    const compare: Comparison = assert[name];
    const isEquality = !name.startsWith('not');
    const named: Comparison = (actual, expected, message) => {
      if (!(actual instanceof Node) && !(expected instanceof Node)) compare(actual, expected, message);
      else if ((actual === expected) !== isEquality)
        throw message instanceof Error
          ? message
          : new assert.AssertionError({ message: message ?? `${describe(actual)} ${isEquality ? 'is not' : 'is'} ${describe(expected)}` });
    };
    Object.assign(assert, { [name]: named });
  }
}

function describe(value: unknown): string {
  return value instanceof Element
    ? (OPENING_TAG.exec(value.outerHTML)?.[0] ?? value.tagName)
    : value instanceof Node
      ? value.nodeName
      : inspect(value);
}
