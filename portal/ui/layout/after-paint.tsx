import { type ReactNode, startTransition, useEffect, useState } from 'react';

/**
 * What is rendered once its placeholder was painted, in slices that leave the browser free in between: the first page of a visit is too much
 * for one task on a phone. A page that is read again or returned to is whole at once, because the browser then scrolls to its place.
 */
export function AfterPaint({ placeholder, children }: { placeholder: ReactNode; children: ReactNode }) {
  const [isShown, setShown] = useState(isReturned);
  useEffect(() => startTransition(() => setShown(true)), []);
  return isShown ? children : placeholder;
}

function isReturned(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]; // of this type there are no others
  return entry?.type === 'reload' || entry?.type === 'back_forward';
}
