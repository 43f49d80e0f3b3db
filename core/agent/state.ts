import type { AgentHealth, Provider } from '@partner-portal/contract/vocabulary.ts';

/** The state of an agent, or the obstacle that keeps it from working. Every page derives it here. */
export type AgentState = 'paused' | 'key_missing' | 'key_refused' | 'settings_missing' | 'not_installed' | 'failing' | 'silent' | 'ok';

export type AgentFacts = {
  isActive: boolean;
  installed: boolean;
  health: AgentHealth;
  missingConnections: readonly Provider[];
  refusedConnections: readonly Provider[];
  missingSettings: readonly string[];
};

/** Returns the state of an agent: what a person chose, then what is to be mended, first things first, then how its runs went. */
export function agentState({
  isActive,
  installed,
  health,
  missingConnections,
  refusedConnections,
  missingSettings,
}: AgentFacts): AgentState {
  if (!isActive) return 'paused';
  if (missingConnections.length > 0) return 'key_missing';
  if (refusedConnections.length > 0) return 'key_refused';
  if (missingSettings.length > 0) return 'settings_missing';
  if (!installed) return 'not_installed';
  return health === 'failing' || health === 'silent' ? health : 'ok';
}

/** Whether events start runs of the agent. */
export function isAgentOn({ isActive, installed }: Pick<AgentFacts, 'isActive' | 'installed'>): boolean {
  return isActive && installed;
}
