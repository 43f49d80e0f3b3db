import { createContext, useCallback, useContext, useEffect, useState } from 'react';
import type { WorkItem } from '../../queries/work-queue.ts';
import { keyOf } from './item.ts';

/** What the actions of the open item know about it. */
export type OpenItem = {
  /** It left the queue by someone else's doing: its actions and their keys are gone. */
  isSettled: boolean;
  /** Called once the reader has settled it: when it leaves the list, the next one opens. */
  onDecided: () => void;
};

const Context = createContext<OpenItem>({ isSettled: false, onDecided: () => undefined });
export const OpenItemProvider = Context.Provider;
export const useOpenItem = (): OpenItem => useContext(Context);

type Kept = { item: WorkItem; index: number; view: string; chosen: string | undefined };
type Lists = { items: readonly WorkItem[]; shown: readonly WorkItem[]; updatedAt: number };

/**
 * The item next to the list. It stays open, as do its dialog and what is typed there, when a poll, the stream or a new owner removes it from the list:
 * a key must act on nothing that its reader has not opened. After the reader's own decision the item that takes its place opens.
 */
export function useItemNextToList(chosen: string | undefined, view: string, { items, shown, updatedAt }: Lists) {
  const [kept, setKept] = useState<Kept>();
  const [decided, setDecided] = useState<{ key: string; at: number }>();
  const same = kept?.view === view && kept.chosen === chosen ? kept : undefined;
  const held = same && keyOf(same.item) !== decided?.key ? same.item : undefined;
  const find = (all: readonly WorkItem[], key: string | undefined): WorkItem | undefined => all.find((item) => keyOf(item) === key);
  const place = same?.index ?? 0;
  const item = find(shown, chosen) ?? (held && (find(items, keyOf(held)) ?? held)) ?? shown[Math.min(place, shown.length - 1)];
  const index = item ? shown.indexOf(item) : -1;
  const key = item && keyOf(item);
  useEffect(() => {
    setKept((before) => item && { item, view, chosen, index: index < 0 ? (before?.index ?? 0) : index });
  }, [item, index, view, chosen]);
  // A decision after which the item is still listed, such as an approval without an installation, is over. A list that came just before it says nothing.
  useEffect(() => {
    setDecided((before) => (before && (before.key !== key || before.at < updatedAt) ? undefined : before));
  }, [key, updatedAt]);
  const onDecided = useCallback(() => {
    if (key !== undefined) setDecided({ key, at: Date.now() });
  }, [key]);
  return {
    item,
    /** Its index in the list, or the one it had. */
    place: index < 0 ? place : index,
    isListed: index >= 0,
    isSettled: item !== undefined && !items.includes(item),
    onDecided,
  };
}
