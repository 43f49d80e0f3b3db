import type { AnyRouter } from '@tanstack/react-router';

type Heading = { node: Element; text: string };

/**
 * After a navigation to another path, moves the focus to the heading of the page and has screen readers read it, as they do by themselves when a document
 * loads. Another view of the same page (filters, drawers, tabs) leaves the focus where it is, unless
 * what had it is gone; of a tab that has a path, the name is read. A page, dialog or
 * drawer that took the focus when it appeared keeps it. `isFirstRead`: whether the page shown first took the place of another in this document.
 */
export function announcePage(router: AnyRouter, isFirstRead: boolean): void {
  const region = document.createElement('p');
  region.className = 'sr-only';
  region.role = 'status';
  document.body.append(region);
  const say = (...words: (string | undefined)[]): void => {
    region.textContent = words.filter(Boolean).join(', ');
  };
  let left: Heading | undefined;
  /** False once the reader has moved the focus since the navigation began. */
  let isFocusWanted = true;
  let stop = (): void => undefined;
  const onInput = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || event.key === 'Tab') isFocusWanted = false;
  };
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, onInput, { capture: true });
  router.subscribe('onBeforeLoad', () => {
    stop();
    left = findHeading();
    isFocusWanted = true;
  });
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!pathChanged || (!fromLocation && !isFirstRead)) return;
    if (left && isSame(left, findHeading())) {
      if (isFocusWanted) keepFocus();
      const tab = document.querySelector('nav.tabs [aria-current]')?.textContent;
      return say(tab && left.text, tab);
    }
    say();
    stop = whenHeaded((heading) => {
      if (isFocusWanted && !isFocusTaken()) focus(heading.node);
      say(heading.text);
    });
  });
}

/** Moves the focus to the heading of the page where what had it is gone. */
export function keepFocus(): void {
  const heading = findHeading();
  if (heading && document.activeElement === document.body) focus(heading.node);
}

function findHeading(): Heading | undefined {
  const node = document.querySelector('h1');
  const text = node?.textContent.trim();
  return node && text ? { node, text } : undefined;
}

function isSame(one: Heading, other: Heading | undefined): boolean {
  return one.node === other?.node && one.text === other.text;
}

/** Calls `act` once the page has a heading, which may come with its data. Returns what ends the wait. */
function whenHeaded(act: (heading: Heading) => void): () => void {
  const look = (): void => {
    const heading = findHeading();
    if (!heading) return;
    observer.disconnect();
    act(heading);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  look();
  return () => observer.disconnect();
}

/** Whether the focus is in a dialog or drawer, or in a field of the page: what was focused on the page before is gone with it. */
function isFocusTaken(): boolean {
  return document.activeElement?.closest('main *, dialog[open], [role="dialog"]') instanceof Element;
}

/** Nothing is scrolled: the router restores the place of a page that is returned to. */
function focus(heading: Element): void {
  if (!(heading instanceof HTMLElement)) return;
  if (!heading.hasAttribute('tabindex')) {
    heading.tabIndex = -1;
    heading.addEventListener('blur', () => heading.removeAttribute('tabindex'), { once: true });
  }
  heading.focus({ preventScroll: true });
}
