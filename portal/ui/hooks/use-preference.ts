import { useState } from 'react';

/** A choice of this reader on this device, such as the density of a list. What others should see by a link belongs in the address. */
export function usePreference<T extends string>(key: string, fallback: T): [T, (value: T) => void] {
  const storage = `portal.${key}`;
  const [value, setValue] = useState<T>(() => (read(storage) as T | undefined) ?? fallback); // written by this hook only
  const set = (next: T): void => {
    setValue(next);
    try {
      localStorage.setItem(storage, next);
    } catch {
      // The choice then lasts as long as the page.
    }
  };
  return [value, set];
}

/** What was chosen on this device; undefined when nothing was. */
export function readPreference(key: string): string | undefined {
  return read(`portal.${key}`);
}

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
