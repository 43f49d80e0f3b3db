/** Matches windows that the chat fills: phones, in either orientation. */
const SHEET = '(max-width: 480px), (max-height: 480px)';

/** Creates the frame that holds the chat: a panel above the launcher, or the whole window on phones. */
export function createPanel(address: string) {
  const element = document.createElement('div');
  element.className = 'panel';
  const frame = document.createElement('iframe');
  frame.src = address;
  frame.title = 'Chat';
  // The chat replies to this origin alone, also when the website has a referrer policy of its own.
  frame.referrerPolicy = 'origin';
  element.append(frame);

  const sheet = matchMedia(SHEET);
  let isOpen = false;
  let overflow = '';
  let isLocked = false;

  /** Fits the panel into the area above the on-screen keyboard: some browsers do not resize the window when it opens. */
  const fit = (): void => {
    const free = isOpen && sheet.matches ? window.visualViewport : null;
    element.style.height = free ? `${free.height}px` : '';
    element.style.top = free ? `${free.offsetTop}px` : '';
    lock(free !== null || (isOpen && sheet.matches));
  };
  /** The website behind the sheet does not scroll. */
  const lock = (isNeeded: boolean): void => {
    if (isNeeded === isLocked) return;
    isLocked = isNeeded;
    const { style } = document.documentElement;
    if (isNeeded) overflow = style.overflow;
    style.overflow = isNeeded ? 'hidden' : overflow;
  };
  const setOpen = (next: boolean): void => {
    isOpen = next;
    element.classList.toggle('open', isOpen);
    fit();
  };
  sheet.addEventListener('change', fit);
  window.visualViewport?.addEventListener('resize', fit);
  window.visualViewport?.addEventListener('scroll', fit);
  return {
    element,
    frame,
    show: () => setOpen(true),
    hide: () => setOpen(false),
    setTall: (isTall: boolean) => void element.classList.toggle('tall', isTall),
    isSheet: () => sheet.matches,
  };
}
