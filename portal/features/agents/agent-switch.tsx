import { useMutation } from '@tanstack/react-query';
import { useRefusal } from '../../app/current-user.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
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
  // An agent that is not installed accepts no events, so the switch shows off; setup turns the agent on.
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
