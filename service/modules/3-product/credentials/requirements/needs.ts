import { loadCatalog } from '@partner-portal/catalog/index.ts';
import type { StoredProvider } from '@partner-portal/core/credential/credential.ts';
import type { Needs } from '../store-views.ts';

export type TemplateNeed = { provider: StoredProvider; stepNames: string[] };

/**
 * What each template of the catalog needs: its required connections that are stored keys, with the labels of the steps
 * that use each. The code capability is no connection and never listed.
 */
export function needsByTemplate(): ReadonlyMap<string, readonly TemplateNeed[]> {
  return new Map(
    loadCatalog().map((template) => [
      template.name,
      template.requiredConnections
        .filter((provider) => provider !== 'code')
        .map((provider) => ({
          provider,
          stepNames: template.steps.filter((step) => step.kind === 'http' && step.provider === provider).map((step) => step.label),
        })),
    ]),
  );
}

/** The same as parallel lists for SQL. */
export function needsForSql(): Needs {
  const pairs = [...needsByTemplate()].flatMap(([name, needs]) => needs.map((need) => [name, need.provider] as const));
  return { templateNames: pairs.map(([name]) => name), providers: pairs.map(([, provider]) => provider) };
}
