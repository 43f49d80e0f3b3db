/** A page that no one looks at counts as left after this long. */
const AWAY_AFTER_MS = 60_000;

/** Whether the page was out of sight for a while; calls when it may have changed. */
export function watchPresence(onChange: () => void): { isAway: () => boolean } {
  let isAway = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    isAway = false;
    if (document.hidden) {
      timer = setTimeout(() => {
        isAway = true;
        onChange();
      }, AWAY_AFTER_MS);
    }
    onChange();
  });
  return { isAway: () => isAway };
}
