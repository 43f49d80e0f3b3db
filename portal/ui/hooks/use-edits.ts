import { useState } from 'react';

export type Edits<Values> = {
  values: Values;
  isChanged: boolean;
  set: (part: Partial<Values>) => void;
  /** Marks what was sent as saved; input typed since then is kept. */
  settle: (sent: Values) => void;
  reset: () => void;
};

/**
 * A saved record with unsaved input on top. Only changed fields are stored, so a newer record shows in the other fields without losing
 * input.
 */
export function useEdits<Values extends object>(saved: Values): Edits<Values> {
  const [typed, setTyped] = useState<Partial<Values>>({});
  const values = { ...saved, ...typed };
  return {
    values,
    isChanged: JSON.stringify(values) !== JSON.stringify(saved),
    set: (part) => setTyped((before) => ({ ...before, ...part })),
    settle: (sent) => setTyped((before) => typedSince(before, sent)),
    reset: () => setTyped({}),
  };
}

/** Returns the input that differs from what was sent. */
export function typedSince<Values extends object>(typed: Partial<Values>, sent: Values): Partial<Values> {
  const isNewer = ([key, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify((sent as { [key: string]: unknown })[key]); // a key of the same type
  return Object.fromEntries(Object.entries(typed).filter(isNewer)) as Partial<Values>; // only members were dropped
}
