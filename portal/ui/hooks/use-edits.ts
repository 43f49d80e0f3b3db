import { useState } from 'react';

export type Edits<Values> = {
  values: Values;
  isChanged: boolean;
  set: (part: Partial<Values>) => void;
  /** What was sent is saved; what was typed while it was on its way is kept. */
  settle: (sent: Values) => void;
  reset: () => void;
};

/**
 * A saved record with what was typed over it. Only what was typed is kept, so a newer record arriving meanwhile shows in the other
 * fields and loses no input.
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

/** Of what was typed, what differs from what was sent. */
export function typedSince<Values extends object>(typed: Partial<Values>, sent: Values): Partial<Values> {
  const isNewer = ([key, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify((sent as { [key: string]: unknown })[key]); // a key of the same type
  return Object.fromEntries(Object.entries(typed).filter(isNewer)) as Partial<Values>; // only members were dropped
}
