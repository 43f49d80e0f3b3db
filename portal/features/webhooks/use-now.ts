import { useEffect, useState } from 'react';

/** Returns the current time, updated each second while `active`. */
export function useNow(isCounting: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isCounting) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return now;
}
