import { type ReactNode, startTransition, useEffect, useState } from 'react';

/**
 * What is rendered once its placeholder was painted, in slices that leave the browser free in between: the first page of a visit is too much
 * for one task on a phone.
 */
export function AfterPaint({ placeholder, children }: { placeholder: ReactNode; children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => startTransition(() => setShown(true)), []);
  return isShown ? children : placeholder;
}
