import type { AgentRequestStatus, OnboardingKey, SampleState } from '@partner-portal/contract/vocabulary.ts';
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
    title: 'Add a webhook, so your own systems hear when something happens',
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
  request: { status: AgentRequestStatus } | null;
  hasClient: boolean;
};

/** What an agency can do about its sample run now. Only staff install, so a new agency sees the catalog's own sample until then. */
export function sampleState({ agent, request, hasClient }: SampleFacts): SampleState {
  if (agent) return agent.isActive ? 'ready' : 'paused';
  if (request) {
    if (request.status === 'suggested') return 'suggested';
    if (request.status === 'submitted') return 'submitted';
    return request.status === 'provisioning_failed' ? 'failed' : 'installing';
  }
  return hasClient ? 'not_requested' : 'no_client';
}
