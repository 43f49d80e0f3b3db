import type { AgentHealth, ClientStatus, Provider } from '@partner-portal/contract/vocabulary.ts';

/** The state of an agent, or the obstacle that keeps it from working. Every page derives it here. */
export type AgentState =
  | 'client_inactive'
  | 'paused'
  | 'key_missing'
  | 'key_refused'
  | 'settings_missing'
  | 'not_installed'
  | 'failing'
  | 'silent'
  | 'ok';

export type AgentFacts = {
  /** Null for an agent of the agency itself. */
  clientStatus: ClientStatus | null;
  isActive: boolean;
  installed: boolean;
  health: AgentHealth;
  missingConnections: readonly Provider[];
  refusedConnections: readonly Provider[];
  missingSettings: readonly string[];
};

/** Returns the state of an agent: whether its client may have agents at work, what a person chose, then what is to be mended, first things first, then how its runs went. */
export function agentState({
  clientStatus,
  isActive,
  installed,
  health,
  missingConnections,
  refusedConnections,
  missingSettings,
}: AgentFacts): AgentState {
  if (!mayClientRunAgents(clientStatus)) return 'client_inactive';
  if (!isActive) return 'paused';
  if (missingConnections.length > 0) return 'key_missing';
  if (refusedConnections.length > 0) return 'key_refused';
  if (missingSettings.length > 0) return 'settings_missing';
  if (!installed) return 'not_installed';
  return health === 'failing' || health === 'silent' ? health : 'ok';
}

/** Whether events start runs of the agent. */
export function isAgentOn({ clientStatus, isActive, installed }: Pick<AgentFacts, 'clientStatus' | 'isActive' | 'installed'>): boolean {
  return mayClientRunAgents(clientStatus) && isActive && installed;
}

/** Whether agents and chatbots of a client work; null stands for the agency itself. As `may_run_agents` decides for events and runs. */
export function mayClientRunAgents(clientStatus: ClientStatus | null): boolean {
  return clientStatus === null || clientStatus === 'active';
}
