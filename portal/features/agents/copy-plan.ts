/** An agent that is copied. */
export type Source = { id: string; clientId: string | null; templateName: string };
/** One call of the API. `key` names it, so that a repeated one makes no second request. */
export type CopyCall = { key: string; agentId: string; clientIds: readonly string[] };
export type CopyPairs = { agentId: string; clientIds: readonly string[] };

/**
 * Which clients get a copy of which agent. None gets one of its own agent, nor two of the same template: the first of the agents that have
 * it is copied.
 */
export function pairCopies(agents: readonly Source[], clientIds: readonly string[]): CopyPairs[] {
  const taken = new Set<string>();
  return agents.map(({ id, clientId, templateName }) => ({
    agentId: id,
    clientIds: clientIds.filter((client) => {
      const place = `${templateName} ${client}`;
      if (client === clientId || taken.has(place)) return false;
      taken.add(place);
      return true;
    }),
  }));
}

/** The calls for these pairs, with at most `most` clients in each. */
export function callsOf(pairs: readonly CopyPairs[], most: number, key: string): CopyCall[] {
  const parts = pairs.flatMap(({ agentId, clientIds }) =>
    Array.from({ length: Math.ceil(clientIds.length / most) }, (_, n) => ({
      agentId,
      clientIds: clientIds.slice(n * most, (n + 1) * most),
    })),
  );
  return parts.map((part, n) => ({ ...part, key: `${key}/${n}` }));
}

/** Works on every item, on at most `most` at the same time. Ends with the first that fails. */
export async function eachOf<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  let hasFailed = false;
  const one = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined && !hasFailed; item = items[next++]) {
      await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, one));
}
