import { useEffect, useState, useSyncExternalStore } from 'react';

/**
 * State kept in session storage: survives a reload, ends with the tab. A page that came as HTML is taken over with `initial`, as it was rendered, and shows what is stored at once
 * after that.
 */
export function useSessionState<T>(key: string, initial: T): [T, (next: T | ((before: T) => T)) => void] {
  const text = useSyncExternalStore(
    never,
    () => readText(key),
    () => null,
  );
  const [own, setOwn] = useState<{ value: T }>();
  const valueOf = (state: { value: T } | undefined): T => (state ? state.value : (parse<T>(text) ?? initial));
  useEffect(() => {
    if (own) writeText(key, JSON.stringify(own.value));
  }, [key, own]);
  return [
    valueOf(own),
    (next) => setOwn((before) => ({ value: typeof next === 'function' ? (next as (before: T) => T)(valueOf(before)) : next })), // T is no function
  ];
}

/** Only this page writes what it reads. */
const never = () => () => undefined;

function parse<T>(text: string | null): T | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as T); // written by this page
  } catch {
    return undefined;
  }
}

function readText(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeText(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Without storage the state lasts as long as the page.
  }
}
