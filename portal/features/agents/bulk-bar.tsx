import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { mayClientRunAgents } from '@partner-portal/core/agent/state.ts';
import { useMutation } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { Agent } from '../../queries/agents.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { plural } from '../../ui/text/format.ts';
import { CopyAgents } from './copy-agent.tsx';
import './bulk-bar.css';

/** What can be done with the selected agents. */
export function BulkBar({ agents, onClear }: { agents: readonly Agent[]; onClear: () => void }) {
  const refusal = useRefusal('agents.pause');
  const switchable = agents.filter((agent) => mayClientRunAgents(agent.clientStatus));
  const clients = new Set(agents.flatMap((agent) => agent.clientId ?? [])).size;
  const set = useMutation({
    mutationFn: ({ ids, isActive }: { ids: readonly string[]; isActive: boolean }) =>
      api.switchAgents({ body: { ids: [...ids], isActive } }),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('agentSwitched'),
  });
  const change = (isActive: boolean): void => {
    const ids = switchable.map((agent) => agent.id);
    set.mutate(
      { ids, isActive },
      {
        onSuccess: ({ results }) => {
          const changed = results.filter((one) => one.result === 'changed').map((one) => one.id);
          if (changed.length === 0) return announce(isActive ? 'They are already on.' : 'They are already paused.');
          const verb = changed.length === 1 ? 'is' : 'are';
          announce(`${plural(changed.length, 'agent')} ${verb} ${isActive ? 'on' : 'paused'}.`, {
            undo: () => set.mutate({ ids: changed, isActive: !isActive }),
          });
        },
      },
    );
  };
  const tooMany = agents.length > LIMITS.bulkSwitchMax ? `Select at most ${LIMITS.bulkSwitchMax} agents.` : undefined;
  return (
    <div className="bulk-bar" role="region" aria-label="Selected agents">
      <p className="min-w-0 flex-1 tabular-nums" role="status">
        <b>{plural(agents.length, 'agent')}</b>
        {clients > 0 ? ` of ${plural(clients, 'client')}` : ''}
      </p>
      {switchable.some((agent) => !agent.isActive) ? (
        <Button
          size="sm"
          icon={<Play aria-hidden />}
          disabledReason={refusal ?? tooMany}
          busy={set.isPending && set.variables.isActive && 'Switching'}
          onClick={() => change(true)}
        >
          Turn on
        </Button>
      ) : null}
      {switchable.some((agent) => agent.isActive) ? (
        <Button
          size="sm"
          icon={<Pause aria-hidden />}
          disabledReason={refusal ?? tooMany}
          busy={set.isPending && !set.variables.isActive && 'Pausing'}
          onClick={() => change(false)}
        >
          Pause
        </Button>
      ) : null}
      <CopyAgents agents={agents} size="sm" />
      <Button size="sm" kind="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
