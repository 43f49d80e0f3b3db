import { agentNameFor, templateTextsOf } from '@partner-portal/catalog/index.ts';
import type { Locale, Role } from '@partner-portal/contract/vocabulary.ts';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { toDefinition, toInputFields } from '#modules/3-product/catalog/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import type { Secret } from '#platform/secret.ts';
import { findWorkflow, listWorkflowRows, type WorkflowRow } from './store.ts';

export type WorkflowDeps = {
  db: Database;
  cursors: Cursors;
  templateOf: (name: string) => Template | undefined;
  callbackSecret: Secret;
  /** Public base address without a trailing slash. */
  publicBaseUrl: string;
};

export async function listWorkflows(
  deps: WorkflowDeps,
  actor: Actor,
  query: { limit: number; cursor?: string | undefined; clientId?: string | undefined; partnerId?: string | undefined },
) {
  if (actor.clientId !== null && query.clientId !== undefined && query.clientId !== actor.clientId) refuse('not_found');
  return inScope(deps.db, actor, query.partnerId, async (tx, partnerId) => {
    const filters = { partnerId, clientId: actor.clientId ?? query.clientId };
    const bound = { ...filters, list: 'workflows' };
    const [before = null] = deps.cursors.open(bound, query.cursor) ?? [];
    const rows = await listWorkflowRows(tx, filters, before, query.limit + 1);
    await refuseUnknownScope(tx, filters, rows.length);
    const page = toPage(
      rows,
      query.limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    const reader = await readerOf(tx, actor);
    return { data: page.data.map((row) => toWorkflowRecord(row, deps.templateOf(row.templateName), reader)), nextCursor: page.nextCursor };
  });
}

export async function getWorkflow(deps: WorkflowDeps, actor: Actor, id: string) {
  return inScope(deps.db, actor, undefined, async (tx) => {
    const row = await findWorkflow(tx, id);
    if (!row) return refuse('not_found');
    return toWorkflowRecord(row, deps.templateOf(row.templateName), await readerOf(tx, actor));
  });
}

/** Returns the URL that starts executions. Its token is a secret, so each read is audited. */
export async function readIngestUrl(deps: WorkflowDeps, context: RequestContext, id: string) {
  const { actor } = context;
  await inScope(deps.db, actor, undefined, async (tx) => {
    const row = await findWorkflow(tx, id);
    if (!row) return refuse('not_found');
    return recordAudit(tx, {
      partnerId: row.partnerId,
      clientId: row.clientId,
      actor,
      action: 'workflow.ingest_url_read',
      target: { type: 'workflow', id, label: row.name },
      origin: originOf(context),
    });
  });
  const token = ingestToken(deps.callbackSecret.reveal(), id);
  return { workflowId: id, url: `${deps.publicBaseUrl}/webhooks/agents/${id}?token=${token}`, method: 'POST' as const };
}

async function readerOf(tx: Tx, actor: Actor) {
  return { role: actor.role, locale: await readerLocale(tx, actor) };
}

/** Returns a workflow for this reader: engine ids for staff only, labels only for clients. */
export function toWorkflowRecord(row: WorkflowRow, source: Template | undefined, { role, locale }: { role: Role; locale: Locale }) {
  const template = source && templateTextsOf(source, locale);
  const { providerFlowId, ...shown } = row;
  const forClient = role === 'CLIENT';
  return {
    ...shown,
    name: agentNameFor(locale, row.templateName, row.name),
    latestTemplateVersion: template?.templateVersion ?? row.templateVersion ?? 1,
    installed: providerFlowId !== null,
    ...(role === 'ADMIN' ? { providerFlowId } : {}),
    ...(forClient ? {} : { inputs: template ? toInputFields(template) : [] }),
    definition: toDefinition(template, forClient, locale),
  };
}
