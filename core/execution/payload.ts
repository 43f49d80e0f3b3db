import { beginOf } from '../text/cut.ts';

const SECRET_KEY = /pass(word|wd)?|secret|token|api[-_]?key|authorization|cookie|credential|private[-_]?key/i;

const TEXT_MAX = 2_000;

const DEPTH_MAX = 12;

/** Returns a copy of a payload for display: members named like secrets are hidden, long texts are cut. */
export function hideSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${beginOf(value, TEXT_MAX)}…` : value;
  if (depth > DEPTH_MAX) return '…';
  if (Array.isArray(value)) return value.slice(0, 500).map((item) => hideSecrets(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isHidden(key, item) ? '[hidden]' : hideSecrets(item, depth + 1)]),
  );
}

export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

function isHidden(key: string, item: unknown): boolean {
  return isSecretKey(key) && item !== null && item !== '';
}
