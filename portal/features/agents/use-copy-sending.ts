import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useRef, useState } from 'react';
import { v4 as newId } from 'uuid';
import { api } from '../../app/api.ts';
import type { CopyResult } from '../../queries/agents.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { type CopyCall, type CopyPairs, callsOf, eachOf } from './copy-plan.ts';
import { AT_ONCE } from './use-copy-previews.ts';

export type SentCall = CopyCall & { results?: readonly CopyResult[]; error?: unknown };

export type Sending = {
  /** Empty until the copies are requested. */
  calls: readonly SentCall[];
  isBusy: boolean;
  start: (pairs: readonly CopyPairs[]) => void;
  /** Sends the failed calls again, under their keys. */
  retry: () => void;
  /** Back to the choice. */
  forget: () => void;
};

/**
 * Requests copies, some calls at a time, each with its own result. The first click fixes the requests: a second click finds them under
 * way, and a call that is sent again has the key of the first.
 */
export function useCopySending(onDone: (calls: readonly SentCall[]) => void): Sending {
  const isSending = useRef(false);
  const [calls, setCalls] = useState<readonly SentCall[]>([]);
  const [isBusy, setBusy] = useState(false);
  const now = useRef<readonly SentCall[]>([]);
  const keep = (next: readonly SentCall[]): void => {
    now.current = next;
    setCalls(next);
  };
  const settle = (key: string, outcome: Pick<SentCall, 'results' | 'error'>): void =>
    keep(now.current.map((call) => (call.key === key ? { key, agentId: call.agentId, clientIds: call.clientIds, ...outcome } : call)));
  const run = async (): Promise<void> => {
    isSending.current = true;
    setBusy(true);
    await eachOf(
      now.current.filter(({ results }) => results === undefined),
      AT_ONCE,
      async ({ key, agentId, clientIds }) => {
        const call = { params: { id: agentId }, body: { clientIds: [...clientIds] }, headers: { 'idempotency-key': key } };
        await api.copyAgent(call).then(
          ({ results }) => settle(key, { results }),
          (error: unknown) => settle(key, { error }),
        );
      },
    );
    isSending.current = false;
    setBusy(false);
    void refreshAfter('agentRequestChanged');
    onDone(now.current);
  };
  return {
    calls,
    isBusy,
    start: (pairs) => {
      if (isSending.current || now.current.length > 0) return;
      keep(callsOf(pairs, LIMITS.bulkRequestMax, newId()));
      void run();
    },
    retry: () => {
      if (!isSending.current) void run();
    },
    forget: () => keep([]),
  };
}
