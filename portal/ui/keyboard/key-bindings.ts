import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { Listeners } from '../hooks/listeners.ts';

/** A keyboard shortcut. `keys` is a single key ("j", "/"), a sequence ("g c") or "mod+k" (Ctrl or ⌘). */
export type Binding = { keys: string; label: string; group: 'Go' | 'Lists' | 'Anywhere' | 'This page'; run: () => void };

const STORAGE = 'portal.single-keys';
const SEQUENCE_MS = 1200;

const stack: { bindings: Binding[] }[] = [];
const listeners = new Listeners();
let pending: { key: string; at: number } | undefined;
let areSingleKeysOn = read();

/** Registers shortcuts while the component is mounted. The newest wins, so a drawer's keys take precedence over its page's. */
export function useKeys(bindings: Binding[]): void {
  const entry = useRef<{ bindings: Binding[] }>({ bindings });
  entry.current.bindings = bindings;
  useLayoutEffect(() => {
    const mine = entry.current;
    stack.push(mine);
    if (stack.length === 1) addEventListener('keydown', onKey);
    return () => {
      stack.splice(stack.indexOf(mine), 1);
      if (stack.length === 0) removeEventListener('keydown', onKey);
    };
  }, []);
}

/** Returns all active shortcuts, for the list that `?` opens. */
export function listBindings(): Binding[] {
  const seen = new Map<string, Binding>();
  for (const { bindings } of [...stack].reverse()) {
    for (const binding of bindings) if (!seen.has(binding.keys)) seen.set(binding.keys, binding);
  }
  return [...seen.values()];
}

/** Single-letter shortcuts can be turned off, for users whose assistive tools send letters (WCAG 2.1.4). */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(listeners.subscribe, () => areSingleKeysOn);
  return [on, setSingleKeys];
}

function setSingleKeys(on: boolean): void {
  areSingleKeysOn = on;
  try {
    localStorage.setItem(STORAGE, on ? 'on' : 'off');
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  listeners.notify();
}

function onKey(event: KeyboardEvent): void {
  const isModified = event.ctrlKey || event.metaKey;
  if (event.altKey || (!isModified && isTyping(event.target))) return;
  if (document.querySelector('dialog[open]') && !isModified) return;
  // A focused control handles Enter itself: a menu’s button opens its menu.
  if (event.key === 'Enter' && !isModified && isControl(event.target)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const pressed = isModified ? `mod+${key}` : key;
  // Letters act only where they can be turned off: in the list that `?` opens, which the portal of clients does not have.
  if (!isModified && key.length === 1 && !(areSingleKeysOn && find('?'))) return;
  const sequence = pending && event.timeStamp - pending.at < SEQUENCE_MS ? `${pending.key} ${pressed}` : undefined;
  pending = undefined;
  const found = (sequence && find(sequence)) || find(pressed);
  if (found) {
    event.preventDefault();
    found.run();
  } else if (!isModified && startsSequence(pressed)) {
    // The time of the key press: a busy page handles it later.
    pending = { key: pressed, at: event.timeStamp };
  }
}

function find(keys: string): Binding | undefined {
  for (let at = stack.length - 1; at >= 0; at--) {
    const found = stack[at]?.bindings.find((binding) => binding.keys === keys);
    if (found) return found;
  }
  return undefined;
}

function startsSequence(key: string): boolean {
  return stack.some(({ bindings }) => bindings.some((binding) => binding.keys.startsWith(`${key} `)));
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a[href], button, summary') !== null;
}

/** Letters go to the focused field; Enter and Space to the focused control. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox]), textarea, select, [role=listbox], [role=menu], [role=menuitem], [role=option]')
  );
}

function read(): boolean {
  try {
    return localStorage.getItem(STORAGE) !== 'off';
  } catch {
    return true;
  }
}
