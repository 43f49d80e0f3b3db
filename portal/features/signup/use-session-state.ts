import { useEffect, useState } from 'react';

/** State kept in session storage: survives a reload, ends with the tab. `undefined` removes it. */
export function useSessionState<T>(key: string, initial: T): [T, (next: T | ((before: T) => T)) => void] {
  const [value, setValue] = useState<T>(() => read(key) ?? initial);
  useEffect(() => {
    try {
      if (value === undefined) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Without storage the state lasts as long as the page.
    }
  }, [key, value]);
  return [value, setValue];
}

function read<T>(key: string): T | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T); // written by this page
  } catch {
    return undefined;
  }
}
