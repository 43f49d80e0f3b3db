import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { stepsUsingProvider } from '@partner-portal/core/template/definition.ts';
import type { CredentialNeed } from './deps.ts';

/** A credential that agents of a partner or client require, and the steps that use it. */
export type Need = CredentialNeed & { clientName: string | null; stepLabels: string[] };

type Agent = { partnerId: string; clientId: string | null; clientName: string | null };

/** Providers a template requires a credential for; the code capability needs none. */
export function providersOf(template: Template): StoredProvider[] {
  return template.requiredConnections.filter((provider) => provider !== 'code');
}

/** Every credential these agents require, once each, in the order of the agents. */
export function collectNeeds(agents: readonly { agent: Agent; template: Template }[]): Need[] {
  const needs = new Map<string, Need>();
  for (const { agent, template } of agents) {
    for (const provider of providersOf(template)) {
      const key = `${agent.clientId ?? 'agency'} ${provider}`;
      const need = needs.get(key) ?? {
        partnerId: agent.partnerId,
        clientId: agent.clientId,
        clientName: agent.clientName,
        provider,
        stepLabels: [],
      };
      const labels = stepsUsingProvider(template, provider).filter((label) => !need.stepLabels.includes(label));
      needs.set(key, { ...need, stepLabels: [...need.stepLabels, ...labels] });
    }
  }
  return [...needs.values()];
}
