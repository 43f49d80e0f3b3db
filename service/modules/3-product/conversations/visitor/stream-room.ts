import { siteOf } from '#platform/http/network.ts';

/** An open stream that may have to give its place to another address. */
export type Held = { address: string; end: () => void };

/** Places for streams, of which each network, and in it each address, has a fair share. */
export type StreamRoom = {
  /** Returns `free`; or, when all places are taken, the stream whose place one more of the address may take; or undefined when there is none. */
  find(address: string): 'free' | Held | undefined;
  add(stream: Held): void;
  remove(stream: Held): void;
  readonly isEmpty: boolean;
};

type Site = { held: number; addresses: Map<string, Set<Held>> };

/**
 * Creates a room with a fixed number of places. When it is full, a newcomer takes a place from the network that holds most, and there from the address that
 * holds most, only if that address still holds as many as the newcomer afterwards: no address takes the place of one that holds no more than itself.
 */
export function createStreamRoom(places: number): StreamRoom {
  const sites = new Map<string, Site>();
  let held = 0;
  const newestOf = (site: Site, most: number): Held | undefined => {
    const largest = largestOf(site.addresses.values(), ({ size }) => size);
    return largest && largest.size > most ? [...largest].at(-1) : undefined;
  };
  return {
    find(address) {
      if (held < places) return 'free';
      const own = sites.get(siteOf(address));
      const largest = largestOf(sites.values(), (site) => site.held);
      if (largest && largest.held > (own?.held ?? 0) + 1) return newestOf(largest, 0);
      return own && newestOf(own, (own.addresses.get(address)?.size ?? 0) + 1);
    },
    add(stream) {
      const name = siteOf(stream.address);
      const site = sites.get(name) ?? { held: 0, addresses: new Map<string, Set<Held>>() };
      sites.set(name, site);
      site.addresses.set(stream.address, (site.addresses.get(stream.address) ?? new Set<Held>()).add(stream));
      site.held += 1;
      held += 1;
    },
    remove(stream) {
      const name = siteOf(stream.address);
      const site = sites.get(name);
      const streams = site?.addresses.get(stream.address);
      if (!site || !streams?.delete(stream)) return;
      if (streams.size === 0) site.addresses.delete(stream.address);
      site.held -= 1;
      held -= 1;
      if (site.held === 0) sites.delete(name);
    },
    get isEmpty() {
      return held === 0;
    },
  };
}

function largestOf<T>(items: Iterable<T>, sizeOf: (item: T) => number): T | undefined {
  let largest: T | undefined;
  let size = 0;
  for (const item of items) if (sizeOf(item) > size) [largest, size] = [item, sizeOf(item)];
  return largest;
}
