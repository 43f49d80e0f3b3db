import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { formatDay, isSameDay } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { HEALTH } from '../../shared/labels.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Agent, agentQuery, agentsQuery, homeQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Pauses and resumes an agent immediately, with Undo; shown only if the partner allows it. */
export function AgentSwitch({ agent, showWord }: { agent: Agent; showWord?: boolean }) {
  const refusal = useRefusal('agents.pause');
  const set = useMutation({
    mutationFn: (on: boolean) => (on ? api.resumeAgent : api.pauseAgent)({ params: { id: agent.id } }),
    onMutate: (on) => showAtOnce(agent.id, on),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('clientRunReported'),
  });
  if (!agent.clientCanPause) return null;
  const change = (on: boolean): void =>
    set.mutate(on, {
      onSuccess: () => announce(on ? `${agent.name} is on.` : `${agent.name} is paused.`, { undo: () => set.mutate(!on) }),
    });
  return (
    <Switch checked={agent.isActive} onChange={change} label={agent.name} disabledReason={refusal} {...(showWord ? { showWord } : {})} />
  );
}

function showAtOnce(id: string, isActive: boolean): void {
  const change = (row: Agent): Agent => (row.id === id ? { ...row, isActive } : row);
  queryClient.setQueryData(homeQuery.queryKey, (before) => before && { ...before, agents: before.agents.map(change) });
  queryClient.setQueryData(agentsQuery.queryKey, (before) => before?.map(change));
  queryClient.setQueryData(agentQuery(id).queryKey, (before) => before && change(before));
}

/** Current state of the agent as short text. */
export function AgentState({ agent }: { agent: Agent }) {
  return (
    <p className="flex items-center gap-2 text-sm text-ink-3">
      <Mark kind={agent.isActive ? (agent.installed ? HEALTH[agent.health].mark : 'none') : 'pause'} />
      {wordsOf(agent)}
    </p>
  );
}

function wordsOf({ isActive, installed, health, lastRunAt }: Agent): string {
  if (!isActive) return 'Paused';
  if (!installed) return 'Being set up';
  if (health === 'failing') return 'On, but failing';
  return lastRunAt
    ? `On, last active ${isSameDay(new Date(lastRunAt), new Date()) ? 'today' : formatDay(lastRunAt)}`
    : 'On, waiting for its first task';
}
