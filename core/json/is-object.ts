import type { JsonObject } from '../template/types.ts';

/** Returns whether a value of parsed JSON is an object: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
