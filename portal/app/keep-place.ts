import type { AnyRouter, ParsedLocation } from '@tanstack/react-router';

/** Entries of the history whose place is known. */
const PLACES_MAX = 100;

/**
 * Restores the place in a page that was left and is reached again by Back. The router notes it as well, but notes it again when its reader turns back
 * before the next page is there, by which time the place is that of a skeleton.
 */
export function keepPlace(router: AnyRouter): void {
  const places = new Map<string, number>();
  let isLeaving = false;
  let turnedBack = false;
  router.subscribe('onBeforeLoad', ({ fromLocation }) => {
    turnedBack = isLeaving;
    if (!isLeaving && fromLocation) {
      const key = keyOf(fromLocation);
      places.delete(key);
      places.set(key, window.scrollY);
      for (const oldest of places.keys()) {
        if (places.size <= PLACES_MAX) break;
        places.delete(oldest);
      }
    }
    isLeaving = true;
  });
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    isLeaving = false;
    // A page that was only read again stays where its reader is.
    if (!turnedBack && fromLocation && keyOf(fromLocation) === keyOf(toLocation)) return;
    const place = places.get(keyOf(toLocation));
    if (place !== undefined && toLocation.hash === '') window.scrollTo(0, place);
  });
}

function keyOf({ state, href }: ParsedLocation): string {
  return state.__TSR_key ?? href;
}
