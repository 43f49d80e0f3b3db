import type { Template } from '@partner-portal/core/template/types.ts';
import { findReadingClients } from '#modules/2-tenancy/clients/index.ts';
import { readConfig } from '#modules/3-product/agents/index.ts';
import type { Tx } from '#platform/db/tx.ts';

type Config = Record<string, unknown>;

/**
 * Returns the settings that each of these clients would get, as they are saved: read by its country and language. Refuses those that the template does not
 * accept for one of them, field by field.
 */
export async function readConfigs(
  tx: Tx,
  partnerId: string,
  clientIds: readonly string[],
  { template, config = {} }: { template: Template | undefined; config: Config | undefined },
): Promise<(clientId: string) => Config> {
  if (template === undefined || Object.keys(config).length === 0) return () => config;
  const readers = await findReadingClients(tx, partnerId, clientIds);
  const configs = new Map(clientIds.map((id) => [id, readConfig(template, config, readers.get(id))]));
  return (clientId) => configs.get(clientId) ?? {};
}
