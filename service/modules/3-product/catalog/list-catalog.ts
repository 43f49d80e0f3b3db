import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { findClientPartner, type KeyRow, listInstalledTemplates, listKeys, missingConnections, partnerIsThere } from './store.ts';
import { templateAnswer } from './template-answer.ts';

export type CatalogDeps = { db: Database; bundles: readonly TemplateBundle[]; platformProviders: readonly Provider[] };
export type CatalogQuery = {
  category?: string | undefined;
  q?: string | undefined;
  clientId?: string | undefined;
  partnerId?: string | undefined;
};

type Owner = { partnerId: string; clientId: string | null };

/** The templates on offer, with what each still lacks for the chosen client or agency. */
export async function listCatalog(deps: CatalogDeps, actor: Actor, query: CatalogQuery, now: Date) {
  const words = query.q?.trim().toLowerCase() ?? '';
  const offered = deps.bundles.filter(({ template }) => {
    if (!template.isActive || (query.category !== undefined && template.category !== query.category)) return false;
    return words === '' || `${template.title} ${template.summary} ${template.clientSummary} ${template.name}`.toLowerCase().includes(words);
  });
  return describe(deps, actor, query, offered, now);
}

type EntryQuery = Omit<CatalogQuery, 'category' | 'q'> & { templateName: string };

export async function getCatalogEntry(deps: CatalogDeps, actor: Actor, query: EntryQuery, now: Date) {
  const bundle = deps.bundles.find(({ template }) => template.name === query.templateName);
  if (!bundle) return refuse('not_found');
  const [entry] = await describe(deps, actor, query, [bundle], now);
  return entry ?? refuse('not_found');
}

async function describe(deps: CatalogDeps, actor: Actor, query: CatalogQuery, bundles: readonly TemplateBundle[], now: Date) {
  const { owner, keys, installed } = await inScope(
    deps.db,
    actor,
    query.partnerId,
    async (tx, partnerId): Promise<{ owner: Owner | null; keys: KeyRow[]; installed: string[] }> => {
      const found = await findOwner(tx, actor, partnerId, query.clientId);
      if (!found) return { owner: null, keys: [], installed: [] };
      return {
        owner: found,
        keys: await listKeys(tx, [found.partnerId], found.clientId === null ? [] : [found.clientId]),
        installed: await listInstalledTemplates(tx, found.partnerId, found.clientId),
      };
    },
  );
  return bundles.map((bundle) => {
    const { template } = bundle;
    const missing = owner
      ? missingConnections(template.requiredConnections, keys, owner, deps.platformProviders)
      : template.requiredConnections.filter((one) => one !== 'code');
    const forClient = actor.role === 'CLIENT';
    return {
      ...templateAnswer(bundle, forClient, now),
      ready: missing.length === 0,
      missingConnections: forClient ? [] : missing,
      installed: installed.includes(template.name),
    };
  });
}

/** For whom readiness is told; null when staff named nobody. */
async function findOwner(tx: Tx, actor: Actor, partnerId: string | null, clientId: string | undefined): Promise<Owner | null> {
  if (actor.clientId !== null && clientId !== undefined && clientId !== actor.clientId) refuse('not_found');
  const client = actor.clientId ?? clientId ?? null;
  if (client === null) {
    if (partnerId !== null && !(await partnerIsThere(tx, partnerId))) refuse('not_found');
    return partnerId === null ? null : { partnerId, clientId: null };
  }
  const owner = await findClientPartner(tx, client);
  if (owner === undefined || (partnerId !== null && owner !== partnerId)) return refuse('not_found');
  return { partnerId: owner, clientId: client };
}
