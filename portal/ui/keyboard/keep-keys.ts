import { useEffect } from 'react';

let kept = '';

/** Begins to keep what is typed for a field that loads. No shortcut of the page acts on it. Escape ends it, as `takeKept` does; who presses elsewhere types there. */
export function keepKeys(): void {
  kept = '';
  addEventListener('keydown', keep, { capture: true });
  addEventListener('pointerdown', takeKept, { capture: true });
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
  removeEventListener('pointerdown', takeKept, { capture: true });
}

function keep(event: KeyboardEvent): void {
  if (event.key === 'Escape') stop();
  if ((event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')) return;
  if (event.key.length === 1) kept += event.key;
  else if (event.key === 'Backspace') kept = kept.slice(0, -1);
  else if (event.key !== 'Enter') return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
