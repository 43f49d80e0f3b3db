export type Launcher = { element: HTMLElement; setOpen(isOpen: boolean): void; setUnread(count: number, openLabel: string): void };
export type LauncherOptions = { openLabel: string; closeLabel: string; fill: string; on: string; unread: number };

const BUBBLE = 'M12 3.5c5 0 9 3.4 9 7.7s-4 7.7-9 7.7c-1 0-2-.1-2.9-.4L4.5 20.5l1-3.9A7.2 7.2 0 0 1 3 11.2c0-4.3 4-7.7 9-7.7Z';
const CHEVRON = 'm6 9.5 6 6 6-6';
const COUNT_MAX = 9;

/** Creates the button that opens the chat, in the colours of the agency. */
export function createLauncher(chat: LauncherOptions, onPress: () => void): Launcher {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'launcher';
  // Colours that the chat page chose for both themes, with enough contrast.
  element.style.setProperty('--fill', chat.fill);
  element.style.setProperty('--on', chat.on);
  const badge = document.createElement('span');
  badge.className = 'badge';
  badge.setAttribute('aria-hidden', 'true');
  element.append(icon('bubble', BUBBLE), icon('chevron', CHEVRON), badge);
  element.addEventListener('click', onPress);

  let isOpen = false;
  let { unread, openLabel } = chat;
  const update = (): void => {
    element.setAttribute('aria-expanded', String(isOpen));
    element.setAttribute('aria-label', isOpen ? chat.closeLabel : openLabel);
    badge.textContent = unread > COUNT_MAX ? `${COUNT_MAX}+` : String(unread);
    badge.hidden = unread === 0;
  };
  update();
  return {
    element,
    setOpen: (next) => {
      isOpen = next;
      update();
    },
    setUnread: (count, label) => {
      unread = count;
      openLabel = label;
      update();
    },
  };
}

function icon(name: string, shape: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', name);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', shape);
  svg.append(path);
  return svg;
}
