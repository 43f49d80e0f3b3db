import { type RefObject, useEffect, useRef } from 'react';

/** How far before its end a list asks for more. */
const AHEAD = '600px';
/** Pages in a row; then the button is needed, so that what is below the list can be reached. */
const IN_A_ROW = 3;

type Props = {
  /** Whether there are more rows and none are on their way. */
  isReady: boolean;
  onMore: () => void;
};

/**
 * Loads more rows when the end of a list comes near by wheel or touch. Keys never load: who moves by keyboard or with a screen reader asks
 * by the button, and reaches what follows the list. Returns the ref of an element at the end, and what to call when the button was pressed.
 */
export function useLoadOnScroll({ isReady, onMore }: Props): { end: RefObject<HTMLDivElement | null>; allowMore: () => void } {
  const end = useRef<HTMLDivElement>(null);
  const left = useRef(IN_A_ROW);
  const isByHand = useRef(false);
  const act = useRef(onMore);
  useEffect(() => {
    act.current = onMore;
  }, [onMore]);
  useEffect(() => {
    const node = end.current;
    let isNear = false;
    let isAsked = false;
    const consider = (): void => {
      if (!isReady || isAsked || !isNear || !isByHand.current || left.current === 0) return;
      isAsked = true;
      left.current -= 1;
      act.current();
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        isNear = entry?.isIntersecting ?? false;
        consider();
      },
      { rootMargin: `0px 0px ${AHEAD}` },
    );
    if (node) observer.observe(node);
    const hand = (): void => {
      isByHand.current = true;
      consider();
    };
    const keys = (): void => void (isByHand.current = false);
    addEventListener('keydown', keys);
    addEventListener('wheel', hand, { passive: true });
    addEventListener('touchmove', hand, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('keydown', keys);
      removeEventListener('wheel', hand);
      removeEventListener('touchmove', hand);
    };
  }, [isReady]);
  return { end, allowMore: () => void (left.current = IN_A_ROW) };
}
