/** After so long without a touch, requests of this page are its own: polls and what follows events. They must not keep an abandoned tab logged in. */
const UNATTENDED_AFTER_MS = 5 * 60_000;

let touchedAt = Date.now();

if (typeof document !== 'undefined') {
  const touch = (): void => void (touchedAt = Date.now());
  for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart', 'focus'])
    addEventListener(kind, touch, { capture: true, passive: true });
}

/** Returns the header that says that no one uses the page, or none. */
export function attendance(): Record<string, string> {
  return Date.now() - touchedAt > UNATTENDED_AFTER_MS ? { 'x-unattended': 'true' } : {};
}
