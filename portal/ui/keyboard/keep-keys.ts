import { useEffect } from 'react';

let kept = '';

/** Begins to keep what is typed for a field that loads. No shortcut of the page acts on it. Escape ends it, as `takeKept` does. */
export function keepKeys(): void {
  kept = '';
  addEventListener('keydown', keep, { capture: true });
}

/** Shown while the field loads: ends the keeping when that fails. */
export function KeepKeys(): null {
  useEffect(() => stop, []);
  return null;
}

/** Returns what was kept, once. */
export function takeKept(): string {
  stop();
  const text = kept;
  kept = '';
  return text;
}

function stop(): void {
  removeEventListener('keydown', keep, { capture: true });
}

function keep(event: KeyboardEvent): void {
  if (event.key === 'Escape') stop();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.length === 1) kept += event.key;
  else if (event.key === 'Backspace') kept = kept.slice(0, -1);
  else if (event.key !== 'Enter') return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
