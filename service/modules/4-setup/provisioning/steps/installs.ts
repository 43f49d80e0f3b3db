import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { StepContext } from '../attempt.ts';
import { StepFailed } from '../step-failed.ts';
import { listCopies, listTargetsById, type StoredCopy, type Target } from '../store-workflows.ts';

export type Planned = {
  target: Target;
  bundle: TemplateBundle;
  /** The stored copy is to be replaced by this bundle. */ replaces: boolean;
};

/**
 * The agents of an attempt with their templates: the partner's stored copy, replaced when the catalog has a newer version or always when
 * `refreshTemplates` is on (default of a repair).
 */
export async function planInstalls({ deps, attempt }: StepContext): Promise<Planned[]> {
  const { targets, copies } = await deps.db.asSystem('provisioning', async (tx) => {
    const found = await listTargetsById(tx, attempt.partnerId, attempt.workflowIds);
    return { targets: found, copies: await listCopies(tx, attempt.partnerId, [...new Set(found.map((target) => target.templateName))]) };
  });
  const chosen = new Map<string, ReturnType<typeof chooseBundle>>();
  return targets.map((target) => {
    const { templateName } = target;
    const choice = chosen.get(templateName) ?? chooseBundle(deps.catalog, copies, templateName, attempt.refreshTemplates);
    chosen.set(templateName, choice);
    return { target, ...choice };
  });
}

function chooseBundle(
  catalog: readonly TemplateBundle[],
  copies: readonly StoredCopy[],
  name: string,
  refresh: boolean,
): Omit<Planned, 'target'> {
  const latest = catalog.find((bundle) => bundle.template.name === name);
  const copy = copies.find((one) => one.templateName === name);
  if (copy && (!latest || (!refresh && copy.templateVersion >= latest.template.templateVersion)))
    return { bundle: copy.definition, replaces: false };
  if (latest) return { bundle: latest, replaces: true };
  throw new StepFailed({
    internal: `The catalog holds no template "${name}", and the partner has no stored copy of it.`,
    public: 'One of the agents is no longer offered. Please contact support.',
  });
}
