import { ingestPath } from '@partner-portal/contract/ingest-path.ts';
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
    const descriptionOf = describeTemplates(deps, reader);
    return { data: page.data.map((row) => toWorkflowRecord(row, descriptionOf(row.templateName), reader)), nextCursor: page.nextCursor };
  });
}

export async function getWorkflow(deps: WorkflowDeps, actor: Actor, id: string) {
  return inScope(deps.db, actor, undefined, async (tx) => {
    const row = await findWorkflow(tx, id);
    if (!row) return refuse('not_found');
    const reader = await readerOf(tx, actor);
    return toWorkflowRecord(row, describe(deps.templateOf(row.templateName), reader), reader);
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
  return { workflowId: id, url: `${deps.publicBaseUrl}${ingestPath(id)}?token=${token}`, method: 'POST' as const };
}

async function readerOf(tx: Tx, actor: Actor): Promise<Reader> {
  return { role: actor.role, locale: await readerLocale(tx, actor) };
}

type Reader = { role: Role; locale: Locale };

/** Returns a function that describes templates to a reader, each once: a page has many workflows of few templates. */
function describeTemplates(deps: Pick<WorkflowDeps, 'templateOf'>, reader: Reader) {
  const known = new Map<string, ReturnType<typeof describe>>();
  return (name: string) => {
    const description = known.get(name) ?? describe(deps.templateOf(name), reader);
    known.set(name, description);
    return description;
  };
}

function describe(source: Template | undefined, { role, locale }: Reader) {
  const template = source && templateTextsOf(source, locale);
  const forClient = role === 'CLIENT';
  return {
    templateVersion: template?.templateVersion,
    shown: {
      ...(forClient ? {} : { inputs: template ? toInputFields(template) : [], templateEventIdFrom: template?.eventId ?? null }),
      definition: toDefinition(template, forClient, locale),
    },
  };
}

/** Returns a workflow for this reader: engine ids for staff only, labels only for clients. */
function toWorkflowRecord(row: WorkflowRow, { templateVersion, shown }: ReturnType<typeof describe>, { role, locale }: Reader) {
  const { providerFlowId, ...own } = row;
  return {
    ...own,
    name: agentNameFor(locale, row.templateName, row.name),
    latestTemplateVersion: templateVersion ?? row.templateVersion ?? 1,
    installed: providerFlowId !== null,
    ...(role === 'ADMIN' ? { providerFlowId } : {}),
    ...shown,
  };
}
