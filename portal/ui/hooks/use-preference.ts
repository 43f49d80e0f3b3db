import { useState } from 'react';

/** A preference stored on this device, such as the density of a list. State that a link should carry belongs in the URL. */
export function usePreference<T extends string>(key: string, fallback: T): [T, (value: T) => void] {
  const storage = `portal.${key}`;
  const [value, setValue] = useState<T>(() => (read(storage) as T | undefined) ?? fallback); // written by this hook only
  const set = (next: T): void => {
    setValue(next);
    try {
      localStorage.setItem(storage, next);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  };
  return [value, set];
}

/** Returns the stored preference; undefined when there is none. */
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
