import { isAgentOn } from '@partner-portal/core/agent/state.ts';
import { useMutation } from '@tanstack/react-query';
import { useRefusal } from '../../app/current-user.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { inactiveClient } from '../../shared/agent-state.tsx';
import { type Agent, setAgentOn } from '../../queries/agents.ts';

/** Turns an agent on or off immediately, with Undo. */
export function AgentSwitch({ agent, showWord }: { agent: Agent; showWord?: boolean }) {
  const refusal = useRefusal('agents.pause');
  const set = useMutation({
    mutationFn: (on: boolean) => setAgentOn(agent.id, on),
    onError: (error) => announceError(error),
  });
  const change = (on: boolean): void =>
    set.mutate(on, {
      onSuccess: () => announce(on ? `${agent.name} is on.` : `${agent.name} is paused.`, { undo: () => set.mutate(!on) }),
    });
  // An agent that accepts no events shows as off; its setup, or its client's return, turns it on.
  const isOn = isAgentOn({ ...agent, isActive: set.isPending ? set.variables : agent.isActive });
  return (
    <Switch
      checked={isOn}
      onChange={change}
      label={`${agent.name}${agent.clientName ? ` for ${agent.clientName}` : ''}`}
      disabledReason={
        refusal ?? inactiveClient(agent) ?? (agent.installed ? undefined : 'Not installed yet. It turns on when its setup is done.')
      }
      {...(showWord ? { showWord } : {})}
    />
  );
}
