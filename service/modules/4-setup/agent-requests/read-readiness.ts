import { missingProviders, refusedProviders } from '@partner-portal/core/credential/resolution.ts';
import { targetState } from '@partner-portal/core/template/copy.ts';
import { missingSettings } from '@partner-portal/core/template/settings.ts';
import { readCredentials } from '#modules/3-product/credentials/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuseField } from '#platform/refuse.ts';
import { requireTargets } from './copies/copy-agent.ts';
import type { AgentRequestsDeps } from './deps.ts';

/**
 * Returns for each client, in the given order, whether it can have an agent of this template and what that would lack: keys, keys the provider
 * refuses, required settings that neither the template nor the client's business profile fills. Changes nothing.
 */
export function readReadiness(
  deps: AgentRequestsDeps,
  { actor }: Pick<RequestContext, 'actor'>,
  { templateName, clientIds }: { templateName: string; clientIds: readonly string[] },
) {
  const template = deps.templateOf(templateName);
  if (!template?.isActive) return refuseField('templateName', 'unknown', 'The catalog has no such template.');
  const { partnerId } = actor;
  const settings = (businessProfile: Parameters<typeof missingSettings>[2]) =>
    missingSettings(template, {}, businessProfile).map(({ key, label }) => ({ key, label }));
  return deps.db.asTenant(actor, async (tx) => {
    const rows = await requireTargets(tx, partnerId, clientIds, template.name);
    const owners = rows.map(({ id: clientId }) => ({ partnerId, clientId }));
    const resolve = await readCredentials(tx, owners, deps.platformProviders);
    return rows.map((row) => {
      const owner = { partnerId, clientId: row.id };
      const missingConnections = missingProviders(template.requiredConnections, owner, resolve);
      return {
        clientId: row.id,
        clientName: row.name,
        state: targetState({ ...row, hasOpenRequest: row.requestId !== null, missing: missingConnections.length }),
        missingConnections,
        refusedConnections: refusedProviders(template.requiredConnections, owner, resolve),
        missingSettings: settings(row.businessProfile),
      };
    });
  });
}
