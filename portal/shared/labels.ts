import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import type { Reply } from '../app/api.ts';
import type { MarkKind } from '../ui/feedback/mark.tsx';
import type {
  AgentHealth,
  ExecutionSource,
  ExecutionStatus,
  InstanceStatus,
  Provider,
  Role,
  RunTone,
} from '@partner-portal/contract/vocabulary.ts';

/** Labels of states and names, in one place so that each is used consistently. Marks are those of ui/feedback/mark.tsx. */

export const PROVIDERS: Record<Provider, { name: string; kind: string; what: string }> = {
  twilio: { name: PROVIDER_RULES.twilio.title, kind: 'Texts and calls', what: 'texts' },
  openai: { name: PROVIDER_RULES.openai.title, kind: 'Language model', what: 'language model' },
  anthropic: { name: PROVIDER_RULES.anthropic.title, kind: 'Language model', what: 'language model' },
  calcom: { name: PROVIDER_RULES.calcom.title, kind: 'Calendar', what: 'calendar' },
  resend: { name: PROVIDER_RULES.resend.title, kind: 'Mail', what: 'mail' },
  postgres: { name: PROVIDER_RULES.postgres.title, kind: 'Database', what: 'database' },
  code: { name: 'Code', kind: 'Built-in step', what: 'built-in step' },
};

export const RUN_STATUS: Record<ExecutionStatus, { mark: 'run' | 'ok' | 'bad'; word: string }> = {
  RUNNING: { mark: 'run', word: 'Running' },
  SUCCEEDED: { mark: 'ok', word: 'Succeeded' },
  FAILED: { mark: 'bad', word: 'Failed' },
};

type RunState = { mark: MarkKind; word: string };

/** A run that succeeded, by what it came to: green only where it did what it is for. */
export const RUN_TONE: Record<RunTone, RunState> = {
  good: RUN_STATUS.SUCCEEDED,
  neutral: { mark: 'skip', word: RUN_STATUS.SUCCEEDED.word },
  attention: { mark: 'warn', word: 'Needs you' },
};

/** Mark and word of a run, and what it waits for. A run that ended early on purpose did nothing, and nothing went wrong. */
export function runState(run: Pick<Reply<'listExecutions'>['data'][number], 'status' | 'tone' | 'stopped' | 'waitsFor'>): RunState {
  const tone = run.status === 'SUCCEEDED' ? run.tone : null;
  const state = tone === null ? RUN_STATUS[run.status] : RUN_TONE[tone];
  if (run.waitsFor) return { ...state, word: RUN_WAITS_FOR[run.waitsFor] };
  return run.stopped && tone === 'neutral' ? { ...state, word: 'Stopped' } : state;
}

/** A run that waits longer than usual to be handed over to the engine. */
export const RUN_WAITS_FOR = {
  capacity: 'Waiting for capacity',
  engine: 'Engine delayed',
  first_contacts: 'Waiting: first contacts of this hour are used up',
} as const;

export const RUN_SOURCE: Record<ExecutionSource, string> = {
  ingest: 'Ingest',
  trigger: 'Trigger',
  schedule: 'Schedule',
  rerun: 'Rerun',
  chatbot: 'Chatbot',
  test: 'Test',
};

export const HEALTH: Record<AgentHealth, { mark: 'ok' | 'bad' | 'silent' | 'pause' | 'none'; word: string }> = {
  // Says nothing of keys: a missing or refused one is in the state of each agent.
  ok: { mark: 'ok', word: 'No repeated failures' },
  failing: { mark: 'bad', word: 'Failing' },
  silent: { mark: 'silent', word: 'Silent' },
  paused: { mark: 'pause', word: 'Paused' },
  not_installed: { mark: 'none', word: 'Not installed' },
};

export const INSTANCE: Record<InstanceStatus, { mark: 'ok' | 'bad' | 'run' | 'none'; word: string }> = {
  unprovisioned: { mark: 'none', word: 'Not set up' },
  provisioning: { mark: 'run', word: 'Setting up' },
  ready: { mark: 'ok', word: 'Ready' },
  failed: { mark: 'bad', word: 'Setup failed' },
  deprovisioning: { mark: 'run', word: 'Being removed' },
};

export const ENGINE_HEALTH: Record<'ok' | 'degraded' | 'down' | 'disabled', { mark: 'ok' | 'warn' | 'bad' | 'pause'; word: string }> = {
  ok: { mark: 'ok', word: 'Healthy' },
  degraded: { mark: 'warn', word: 'Degraded' },
  down: { mark: 'bad', word: 'Down' },
  disabled: { mark: 'pause', word: 'Off' },
};

export const USER_ROLE: Record<Role, string> = { ADMIN: 'Staff', PARTNER: 'Agency', CLIENT: 'Client user' };

type Invitation = Reply<'listInvitations'>['data'][number];

export const INVITATION_STATES: Record<Invitation['status'], { mark: MarkKind; word: string }> = {
  pending: { mark: 'wait', word: 'Waiting' },
  accepted: { mark: 'ok', word: 'Accepted' },
  revoked: { mark: 'skip', word: 'Revoked' },
  expired: { mark: 'silent', word: 'Expired' },
};

const MAILS: Record<NonNullable<Invitation['emailStatus']>, string> = {
  sent: 'mailed',
  held: 'e-mail waits for a check',
  failed: 'e-mail failed',
  not_configured: 'link only',
};

/** What became of the invitation's mail. */
export const invitationMail = ({ emailStatus }: Invitation): string => (emailStatus === null ? 'sending e-mail' : MAILS[emailStatus]);
