import { type ReactNode, startTransition, useEffect, useState } from 'react';

/**
 * Renders its children after its placeholder was painted, in slices that leave the browser responsive: the first page of a visit is too much
 * for one task on a phone. A page that is reloaded or returned to is rendered at once, because the browser then restores the scroll position.
 */
export function AfterPaint({ placeholder, children }: { placeholder: ReactNode; children: ReactNode }) {
  const [isShown, setShown] = useState(isReturned);
  useEffect(() => startTransition(() => setShown(true)), []);
  return isShown ? children : placeholder;
}

/** Pages whose lower part was shown in this visit. */
const seen = new Set<string>();

/** The part below the first screen of a page: rendered after it the first time, and with it on a return, when the scroll position is restored. */
export function LowerPart({ page, children }: { page: string; children: ReactNode }) {
  const [isShown, setShown] = useState(() => seen.has(page) || isReturned());
  useEffect(() => {
    seen.add(page);
    startTransition(() => setShown(true));
  }, [page]);
  return isShown ? children : null;
}

/** Whether the visit began with a reload, or with the browser's Back. */
export function isReturned(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]; // of this type there are no others
  return entry?.type === 'reload' || entry?.type === 'back_forward';
}
