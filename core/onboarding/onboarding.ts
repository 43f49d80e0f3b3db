import type {
  AgentRequestStatus,
  AttemptMode,
  AttemptStatus,
  InstanceStatus,
  OnboardingKey,
  SampleState,
} from '@partner-portal/contract/vocabulary.ts';
import { isHeld } from '../provisioning/instance.ts';
import type { Template } from '../template/types.ts';

/** The first steps of an agency. Each is done when the account's data says so, never because someone ticked it. */

/** When each step was done first; `true` where the data does not keep the time. Null while it is open. */
export type OnboardingFacts = { readonly [key in OnboardingKey]: Date | true | null };

export type OnboardingItem = {
  key: OnboardingKey;
  title: string;
  isDone: boolean;
  doneAt: Date | null;
  dismissedAt: Date | null;
  href: string;
  action: string;
};

const STEPS: readonly Pick<OnboardingItem, 'key' | 'title' | 'href' | 'action'>[] = [
  { key: 'client', title: 'Add your first client', href: '/dashboard/clients', action: 'Add a client' },
  { key: 'key', title: 'Connect a service', href: '/dashboard/integrations', action: 'Add a key' },
  { key: 'agent', title: 'Request an agent', href: '/dashboard/catalog', action: 'Browse the catalog' },
  { key: 'sample', title: 'Run a sample', href: '/dashboard/first-steps', action: 'Open the sample' },
  { key: 'event', title: 'Send a test event', href: '/dashboard/agents', action: 'Choose an agent' },
  { key: 'team', title: 'Invite a teammate', href: '/dashboard/settings/team', action: 'Invite' },
  {
    key: 'webhook',
    title: 'Add a webhook to notify your own systems of events',
    href: '/dashboard/settings/webhooks',
    action: 'Add a webhook',
  },
];

/** Returns the title of a step; its key for one that is no longer known. */
export function stepTitle(key: string): string {
  return STEPS.find((step) => step.key === key)?.title ?? key;
}

type Dismissals = readonly { key: string; dismissedAt: Date }[];

export function listOnboarding(facts: OnboardingFacts, dismissals: Dismissals): OnboardingItem[] {
  return STEPS.map((step) => {
    const fact = facts[step.key];
    return {
      ...step,
      isDone: fact !== null,
      doneAt: fact instanceof Date ? fact : null,
      dismissedAt: dismissals.find(({ key }) => key === step.key)?.dismissedAt ?? null,
    };
  });
}

/** How far an agency is. The next step is the first that is neither done nor dismissed. */
export function progressOf(items: readonly OnboardingItem[]): { done: number; total: number; nextKey: OnboardingKey | null } {
  const next = items.find((item) => !item.isDone && item.dismissedAt === null);
  return { done: items.filter((item) => item.isDone).length, total: items.length, nextKey: next?.key ?? null };
}

/** The template that a sample runs: one that needs no key. */
export function sampleTemplate<T extends Pick<Template, 'isActive' | 'requiredConnections'>>(templates: readonly T[]): T | undefined {
  return templates.find((template) => template.isActive && template.requiredConnections.every((provider) => provider === 'code'));
}

export type SampleFacts = {
  /** An agent of the sample's template that is installed, one that is on first. */
  agent: { isActive: boolean } | null;
  /** The newest request for it that is open. */
  request: { status: AgentRequestStatus; /** Approved, and due to be installed. */ isWaiting?: boolean } | null;
  hasClient: boolean;
  setup: SampleSetup;
};

/**
 * Whether an admin of the agency can have the agent installed. `open`: yes; `running`: an attempt holds the instance; `failed`: the last one was to
 * install it and failed, and may be repeated; `closed`: only staff install, since setups are switched off or staff took this one down.
 */
export type SampleSetup = 'open' | 'running' | 'failed' | 'closed';

export type SetupFacts = {
  /** AUTOMATION_ENGINE_ENABLED. */
  isOn: boolean;
  instance: InstanceStatus;
  /** The attempt that runs, or held the instance last. */
  attempt: { mode: AttemptMode; status: AttemptStatus; templateNames: readonly string[] } | null;
};

export function sampleSetup({ isOn, instance, attempt }: SetupFacts, templateName: string): SampleSetup {
  if (isHeld(instance) || attempt?.status === 'running') return 'running';
  if (!isOn) return 'closed';
  if (instance === 'ready') return 'open';
  // Staff took the setup down or rebuild it, so staff set it up again.
  if (attempt && (attempt.mode === 'deprovision' || attempt.mode === 'recreate')) return 'closed';
  return instance === 'failed' && attempt?.templateNames.includes(templateName) ? 'failed' : 'open';
}

/** Whether starting the sample installs the agent first. */
export function canInstallSample({ agent, request, setup }: SampleFacts): boolean {
  return !agent && !isBeingInstalled(request) && (setup === 'open' || setup === 'failed');
}

function isBeingInstalled(request: SampleFacts['request']): boolean {
  return request?.status === 'provisioning' || (request?.status === 'approved' && request.isWaiting === true);
}

/** Returns the action that an agency can take on its sample run now. Until it has run, the agency sees the catalog's own sample. */
export function sampleState(facts: SampleFacts): SampleState {
  const { agent, request, hasClient, setup } = facts;
  if (agent) return agent.isActive ? 'ready' : 'paused';
  if (setup === 'running' || isBeingInstalled(request)) return 'installing';
  if (canInstallSample(facts)) return setup === 'failed' ? 'failed' : 'available';
  if (request) return STATE_OF_REQUEST[request.status];
  return hasClient ? 'not_requested' : 'no_client';
}

/** Approved for later: staff start it. An agent that was installed and is there no more is requested again, as one that was refused. */
const STATE_OF_REQUEST: Readonly<Record<AgentRequestStatus, SampleState>> = {
  suggested: 'suggested',
  submitted: 'submitted',
  approved: 'submitted',
  provisioning: 'failed',
  provisioning_failed: 'failed',
  fulfilled: 'failed',
  rejected: 'failed',
  cancelled: 'failed',
  declined: 'failed',
};
