import { useEffect, useRef, useState } from 'react';
import { plural } from '../text/format.ts';

const SUMMARY_MS = 10_000;

/** Announces finished items of a live list to screen readers, one summary per ten seconds instead of one per item. */
export function useSpokenSummary(one: string, many?: string): { spoken: string; addFinished: (id: string, hasFailed: boolean) => void } {
  const [spoken, setSpoken] = useState('');
  const finished = useRef(new Map<string, boolean>());
  useEffect(() => {
    const timer = setInterval(() => {
      if (finished.current.size === 0) return;
      const failed = [...finished.current.values()].filter((hasFailed) => hasFailed).length;
      setSpoken(`${plural(finished.current.size, one, many)} finished, ${failed} failed.`);
      finished.current = new Map();
    }, SUMMARY_MS);
    return () => clearInterval(timer);
  }, [one, many]);
  return { spoken, addFinished: (id, hasFailed) => void finished.current.set(id, hasFailed) };
}
