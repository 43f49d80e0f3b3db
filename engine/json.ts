/** Levels of nesting that are parsed. Deeper values would overflow the stack where they are copied or written. */
export const DEPTH_MAX = 256;

const QUOTE = 34;
const BACKSLASH = 92;

/** Whether JSON text is nested deeper than `DEPTH_MAX`; does not parse it. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inString = !inString;
    else if (inString) {
      if (code === BACKSLASH) at += 1;
    } else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
}

/**
 * Whether the JSON text of a value has about `max` characters at most. Stops counting there: a value that refers to one large part many
 * times would be far larger as text than it is in memory.
 */
export function fitsJson(value: unknown, max: number): boolean {
  return countJson(value, max) >= 0;
}

/** Returns what is left of `room` after a value; negative when it does not fit. */
function countJson(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 4;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = countJson(item, left - 1);
      if (left < 0) return left;
    }
    return left;
  }
  for (const [key, item] of Object.entries(value)) {
    left = countJson(item, left - key.length - 4);
    if (left < 0) return left;
  }
  return left;
}
