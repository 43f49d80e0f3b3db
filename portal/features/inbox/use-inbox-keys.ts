import type { RefObject } from 'react';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';

/** Moves between conversations with J and K, from the focused one or else from the open one; Enter opens, since each is a link. */
export function useListKeys(list: RefObject<HTMLElement | null>): void {
  const move = (step: 1 | -1): void => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-conversation]') ?? [])];
    const focused = rows.findIndex((row) => row === document.activeElement);
    const from = focused >= 0 ? focused : rows.findIndex((row) => row.closest('[data-open]'));
    const next = rows[from < 0 ? 0 : Math.min(Math.max(from + step, 0), rows.length - 1)];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { keys: 'j', label: 'Next conversation', group: 'Lists', run: () => move(1) },
    { keys: 'k', label: 'Previous conversation', group: 'Lists', run: () => move(-1) },
    // Listed by the help; the focused link handles the key itself.
    { keys: 'Enter', label: 'Open the conversation', group: 'Lists', run: () => openFocused() },
  ]);
}

function openFocused(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement) activeElement.click();
}

/** Returns the focus to a conversation in the list. */
export function focusConversation(id: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-conversation="${id}"]`)?.focus());
}
