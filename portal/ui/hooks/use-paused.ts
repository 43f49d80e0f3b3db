import { useEffect, useState } from 'react';

/** Debounces a value that is JSON. */
export function usePaused<T>(value: T, ms: number): T {
  const [paused, setPaused] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(JSON.parse(text) as T), ms); // a copy of the value above
    return () => clearTimeout(timer);
  }, [text, ms]);
  return paused;
}
