import { storableText } from '@partner-portal/core/text/storable.ts';

/**
 * Returns JSON text that a jsonb column can store. Characters it cannot hold (NUL, unpaired surrogates) are removed or replaced, so that a
 * stray byte in a form does not lose the event.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(value, (_key, member: unknown) => cleanMember(member)) ?? 'null';
}

function cleanMember(member: unknown): unknown {
  if (typeof member === 'string') return storableText(member);
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
  return Object.fromEntries(Object.entries(member).map(([key, value]) => [storableText(key), value]));
}

/** Returns whether a value is nested deeper than `depthMax`. The database refuses extreme depths. */
export function isTooDeep(value: unknown, depthMax = 64): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depthMax === 0) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isTooDeep(member, depthMax - 1));
}
