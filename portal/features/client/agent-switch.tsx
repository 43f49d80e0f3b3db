import { agentState, type AgentState as State } from '@partner-portal/core/agent/state.ts';
import { lackSentence } from '@partner-portal/messages/lack-sentence.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { formatDay, isSameDay } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Agent, agentQuery, agentsQuery, homeQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Pauses and resumes an agent immediately, with Undo; shown only if the partner allows it. */
export function AgentSwitch({ agent, showWord }: { agent: Agent; showWord?: boolean }) {
  const { t } = useMessages();
  const refusal = useRefusal('agents.pause');
  const set = useMutation({
    mutationFn: (on: boolean) => (on ? api.resumeAgent : api.pauseAgent)({ params: { id: agent.id } }),
    onMutate: (on) => showAtOnce(agent.id, on),
    onError: (error, on) => {
      showAtOnce(agent.id, !on);
      announceError(error);
    },
    onSettled: () => void refreshAfter('clientRunReported'),
  });
  if (!agent.clientCanPause) return null;
  const change = (on: boolean): void =>
    set.mutate(on, {
      onSuccess: () => announce(t(on ? 'client.isOn' : 'client.isPaused', { name: agent.name }), { undo: () => set.mutate(!on) }),
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
  const messages = useMessages();
  const agency = useUser().partner.name;
  return (
    <p className="flex items-center gap-2 text-sm text-ink-3">
      <Mark kind={MARKS[agentState(agent)]} />
      {wordsOf(agent, agency, messages)}
    </p>
  );
}

const MARKS: Record<State, MarkKind> = {
  client_inactive: 'pause',
  paused: 'pause',
  not_installed: 'none',
  key_missing: 'warn',
  key_refused: 'bad',
  settings_missing: 'warn',
  failing: 'bad',
  silent: 'silent',
  ok: 'ok',
};

function wordsOf(agent: Agent, agency: string, messages: Pick<Messages, 't' | 'tag'>): string {
  const { t } = messages;
  const { lastRunAt } = agent;
  const state = agentState(agent);
  if (!agent.installed && state !== 'paused') return t('client.beingSetUp');
  switch (state) {
    case 'client_inactive':
    case 'paused':
      return t('client.paused');
    case 'not_installed':
      return t('client.beingSetUp');
    case 'key_missing':
    case 'key_refused':
      return t('client.onWithoutService');
    case 'settings_missing':
      // An agent that has run is set up: one of its settings, or the business profile, was emptied since.
      return lastRunAt ? t('client.onFailing') : t('client.setUpLacks', { lacks: lackSentence(messages, agency, missingOf(agent)) });
    case 'failing':
      return t('client.onFailing');
    case 'ok':
    case 'silent':
      if (!lastRunAt) return t('client.onWaiting');
      return isSameDay(new Date(lastRunAt), new Date()) ? t('client.onToday') : t('client.onSince', { day: formatDay(lastRunAt) });
  }
}

function missingOf({ configSchema, missingSettings }: Agent): Agent['configSchema'] {
  return configSchema.filter(({ key }) => missingSettings.includes(key));
}
