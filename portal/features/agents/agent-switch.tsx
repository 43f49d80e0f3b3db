import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Agent, agentQuery } from '../../queries/agents.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Turns an agent on or off immediately, with Undo. */
export function AgentSwitch({ agent, showWord }: { agent: Agent; showWord?: boolean }) {
  const refusal = useRefusal('agents.pause');
  const set = useMutation({
    mutationFn: (on: boolean) => (on ? api.resumeAgent : api.pauseAgent)({ params: { id: agent.id } }),
    onSuccess: (record) => queryClient.setQueryData(agentQuery(agent.id).queryKey, record),
    onError: (error) => announceError(error),
    // Returned: until the list is read again it holds the state before.
    onSettled: () => refreshAfter('agentSwitched'),
  });
  const change = (on: boolean): void =>
    set.mutate(on, {
      onSuccess: () => announce(on ? `${agent.name} is on.` : `${agent.name} is paused.`, { undo: () => set.mutate(!on) }),
    });
  // One that is not installed takes no events, so it is shown off; it turns on with its setup.
  const isOn = (set.isPending ? set.variables : agent.isActive) && agent.installed;
  return (
    <Switch
      checked={isOn}
      onChange={change}
      label={`${agent.name}${agent.clientName ? ` for ${agent.clientName}` : ''}`}
      disabledReason={refusal ?? (agent.installed ? undefined : 'Not installed yet. It turns on when its setup is done.')}
      {...(showWord ? { showWord } : {})}
    />
  );
}
