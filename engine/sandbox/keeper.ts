/** How long a kept item serves, and how many are kept. */
export type KeeperLimits = { usesMax: number; keptMax: number };

/** Hands out one item per use; `owner` and `code` say who may get it again. */
export type Keeper<Item> = {
  /** The item that served this owner's same code before, or a new one. It belongs to the caller until `release`. */
  take: (owner: string, code: string) => Item;
  /** `isFit`: it may serve the same owner's same code again. */
  release: (item: Item, isFit: boolean) => void;
};

/**
 * Keeps costly items for the next use by the same owner with the same code. Any other use gets a new item, so that no two owners and no
 * two programs ever share one. The least recently used item is dropped first.
 */
export function createKeeper<Item extends object>(
  limits: KeeperLimits,
  { make, drop }: { make: () => Item; drop: (item: Item) => void },
): Keeper<Item> {
  const kept = new Map<string, Item>();
  const uses = new WeakMap<Item, { of: string; count: number }>();
  return {
    take: (owner, code) => {
      const of = JSON.stringify([owner, code]);
      const item = kept.get(of) ?? make();
      kept.delete(of);
      uses.set(item, { of, count: (uses.get(item)?.count ?? 0) + 1 });
      return item;
    },
    release: (item, isFit) => {
      const use = uses.get(item);
      if (!isFit || use === undefined || use.count >= limits.usesMax) {
        drop(item);
        return;
      }
      const former = kept.get(use.of);
      if (former !== undefined) drop(former);
      kept.delete(use.of);
      kept.set(use.of, item);
      const [oldest] = kept;
      if (kept.size > limits.keptMax && oldest !== undefined) {
        kept.delete(oldest[0]);
        drop(oldest[1]);
      }
    },
  };
}
