import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import type { Agent, CopyPreview, CopyTarget } from '../../queries/agents.ts';
import { callsOf, eachOf, pairCopies } from './copy-plan.ts';

/** Calls at the same time. */
export const AT_ONCE = 3;
/** Choices within this time share one check. */
const GATHER_MS = 200;

export type Previews = {
  /** By agent, in the order of the choice; those that are not checked yet are missing. */
  targetsOf: (agentId: string) => CopyTarget[];
  /** Pairs of an agent and a client, and how many of them are checked. */
  total: number;
  checked: number;
  setupStatus: CopyPreview['setupStatus'] | undefined;
  /** Why an agent cannot be copied. */
  errors: ReadonlyMap<string, unknown>;
  retry: () => void;
};

/** What each chosen client would get of each agent. Only what is newly chosen is asked for. */
export function useCopyPreviews(agents: readonly Agent[], chosen: readonly string[]): Previews {
  const [found, setFound] = useState<ReadonlyMap<string, CopyTarget>>(NONE);
  const [errors, setErrors] = useState<ReadonlyMap<string, unknown>>(NONE);
  const [setupStatus, setSetupStatus] = useState<CopyPreview['setupStatus']>();
  const [attempt, setAttempt] = useState(0);
  const known = useRef(found);
  useEffect(() => {
    const missing = pairCopies(agents, chosen).map(({ agentId, clientIds }) => ({
      agentId,
      clientIds: clientIds.filter((id) => !known.current.has(pairKey(agentId, id))),
    }));
    const calls = callsOf(missing, LIMITS.bulkRequestMax, 'preview');
    setErrors(NONE);
    const control = new AbortController();
    const { signal } = control;
    const check = async ({ agentId, clientIds }: (typeof calls)[number]): Promise<void> => {
      if (signal.aborted) return;
      try {
        const preview = await api.previewCopies({ params: { id: agentId }, body: { clientIds: [...clientIds] }, signal });
        known.current = new Map([...known.current, ...preview.targets.map((one) => [pairKey(agentId, one.clientId), one] as const)]);
        setFound(known.current);
        setSetupStatus(preview.setupStatus);
      } catch (error) {
        // One agent that cannot be copied keeps no other from it.
        if (!signal.aborted) setErrors((before) => new Map([...before, [agentId, error]]));
      }
    };
    const timer = setTimeout(() => void eachOf(calls, AT_ONCE, check), calls.length > 0 ? GATHER_MS : 0);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [agents, chosen, attempt]);
  const pairs = pairCopies(agents, chosen);
  const targetsOf = (agentId: string): CopyTarget[] =>
    pairs.flatMap((pair) => (pair.agentId === agentId ? pair.clientIds.flatMap((id) => found.get(pairKey(agentId, id)) ?? []) : []));
  return {
    targetsOf,
    total: pairs.reduce((sum, pair) => sum + pair.clientIds.length, 0),
    checked: pairs.reduce((sum, pair) => sum + targetsOf(pair.agentId).length, 0),
    setupStatus,
    errors,
    retry: () => setAttempt((before) => before + 1),
  };
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

function pairKey(agentId: string, clientId: string): string {
  return `${agentId} ${clientId}`;
}
