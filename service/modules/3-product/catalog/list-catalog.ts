import { templateTextsOf } from '@partner-portal/catalog/index.ts';
import type { Locale, Provider } from '@partner-portal/contract/vocabulary.ts';
import { sampleConversation, type SampleOwner } from '@partner-portal/core/template/sample.ts';
import { missingProviders } from '@partner-portal/core/credential/resolution.ts';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import { type CredentialResolver, readCredentials } from '#modules/3-product/credentials/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import { findSampleOwner, listInstalledTemplates } from './store.ts';
import { toTemplateRecord } from './template-record.ts';

export type CatalogDeps = { db: Database; bundles: readonly TemplateBundle[]; platformProviders: readonly Provider[] };
export type CatalogQuery = {
  category?: string | undefined;
  q?: string | undefined;
  clientId?: string | undefined;
  partnerId?: string | undefined;
};

type Owner = { partnerId: string; clientId: string | null };

/** Lists the active templates with the keys each still lacks for the chosen client or partner. */
export async function listCatalog(deps: CatalogDeps, actor: Actor, query: CatalogQuery, now: Date) {
  const text = query.q?.trim().toLowerCase() ?? '';
  const offered = deps.bundles.filter(
    ({ template }) => template.isActive && (query.category === undefined || template.category === query.category),
  );
  const entries = await describe(deps, actor, query, offered, now);
  return entries.filter(
    ({ title, summary, clientSummary, name }) => text === '' || `${title} ${summary} ${clientSummary} ${name}`.toLowerCase().includes(text),
  );
}

type EntryQuery = Omit<CatalogQuery, 'category' | 'q'> & { templateName: string };

export async function getCatalogEntry(deps: CatalogDeps, actor: Actor, query: EntryQuery, now: Date) {
  const bundle = deps.bundles.find(({ template }) => template.name === query.templateName);
  if (!bundle) return refuse('not_found');
  const [entry] = await describe(deps, actor, query, [bundle], now);
  return entry ?? refuse('not_found');
}

async function describe(deps: CatalogDeps, actor: Actor, query: CatalogQuery, bundles: readonly TemplateBundle[], now: Date) {
  type Readiness = { owner: Owner; named: SampleOwner; resolve: CredentialResolver; installed: string[]; locale: Locale };
  const readiness = await inScope(deps.db, actor, query.partnerId, async (tx, partnerId): Promise<Readiness | null> => {
    const owner = await findOwner(tx, actor, partnerId, query.clientId);
    if (!owner) return null;
    const named = await findSampleOwner(tx, owner.partnerId, owner.clientId);
    return {
      locale: await readerLocale(tx, actor),
      owner,
      named: named ? { name: named.name, businessProfile: named.businessProfile ?? {} } : NO_ONE,
      resolve: await readCredentials(tx, [owner], deps.platformProviders),
      installed: await listInstalledTemplates(tx, owner.partnerId, owner.clientId),
    };
  });
  return bundles.map((bundle) => {
    const { template } = bundle;
    const missing = readiness
      ? missingProviders(template.requiredConnections, readiness.owner, readiness.resolve)
      : template.requiredConnections.filter((one) => one !== 'code');
    const forClient = actor.role === 'CLIENT';
    const texts = templateTextsOf(template, readiness?.locale ?? 'en');
    return {
      ...toTemplateRecord({ ...bundle, template: texts }, forClient, now),
      sampleConversation: forClient ? [] : sampleConversation(texts, readiness?.named ?? NO_ONE),
      ...(forClient ? {} : { ready: missing.length === 0 }),
      missingConnections: forClient ? [] : missing,
      installed: readiness?.installed.includes(template.name) ?? false,
    };
  });
}

/** For staff who look at the catalog as such. */
const NO_ONE: SampleOwner = { name: 'Example Business', businessProfile: {} };

/** Returns whose readiness is shown; null when staff named no partner or client. */
async function findOwner(tx: Tx, actor: Actor, partnerId: string | null, clientId: string | undefined): Promise<Owner | null> {
  if (actor.clientId !== null && clientId !== undefined && clientId !== actor.clientId) refuse('not_found');
  const client = actor.clientId ?? clientId ?? null;
  if (client === null) {
    if (partnerId !== null && !(await findPartnerRef(tx, partnerId))) refuse('not_found');
    return partnerId === null ? null : { partnerId, clientId: null };
  }
  const owner = await findClientRef(tx, client);
  if (!owner || (partnerId !== null && owner.partnerId !== partnerId)) return refuse('not_found');
  return { partnerId: owner.partnerId, clientId: client };
}
