import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import { missingCredentialText } from '@partner-portal/core/provisioning/missing-credential.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { stepsUsingProvider } from '@partner-portal/core/template/definition.ts';
import { missingSettings } from '@partner-portal/core/template/settings.ts';
import type { ProfileKey, ReadinessState, SourceMode } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { providersOf } from '../credential-needs.ts';
import type { CredentialNeed, ProvisioningDeps } from '../deps.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import { requireClient } from './require-client.ts';
import { listTargets } from '../store-workflows.ts';

type Deps = Pick<ProvisioningDeps, 'db' | 'catalog' | 'credentials'>;
export type PreflightRequest = {
  partnerId?: string | undefined;
  clientId?: string | undefined;
  templateNames?: readonly string[] | undefined;
};

type Row = {
  template: Template;
  clientId: string | null;
  clientName: string | null;
  workflowId: string | null;
  config: Record<string, unknown>;
  businessProfile: { [key in ProfileKey]?: string };
};
type Cell = {
  provider: CredentialNeed['provider'];
  state: ReadinessState;
  message: string | null;
  sourceMode: SourceMode | null;
  savedAt: Date | null;
  checkedAt: Date | null;
};

/** Reports what an attempt with the same input would lack. Changes nothing and opens no credential. */
export async function preflight(deps: Deps, actor: Actor, request: PreflightRequest) {
  return inScope(deps.db, actor, request.partnerId, async (tx) => {
    const partnerId = actor.role === 'ADMIN' ? (request.partnerId ?? actor.partnerId) : actor.partnerId;
    if (actor.role === 'ADMIN' && !(await findPartnerRef(tx, partnerId))) return refuse('not_found');
    if (request.clientId !== undefined) await requireClient(tx, partnerId, request.clientId);
    const rows = await chooseRows(deps, tx, partnerId, request);
    const cells = await readCells(deps, tx, partnerId, rows);
    const templates = rows.map((row, index) => {
      const own = cells[index] ?? [];
      const lacking = own.filter((cell) => cell.state === 'missing');
      const labels = lacking.flatMap((cell) => stepsUsingProvider(row.template, cell.provider));
      return {
        templateName: row.template.name,
        title: row.template.title,
        clientId: row.clientId,
        clientName: row.clientName,
        workflowId: row.workflowId,
        creditsPerRun: row.template.creditsPerRun,
        ready: lacking.length === 0,
        cells: own,
        missingSettings: missingSettings(row.template, row.config, row.businessProfile).map(({ key, label }) => ({ key, label })),
        message: lacking.length > 0 ? missingCredentialText(labels) : (own.find((cell) => cell.message !== null)?.message ?? null),
      };
    });
    return { ready: templates.filter((template) => template.ready).length, total: templates.length, templates };
  });
}

/** The targets an attempt would choose, including agents that do not exist yet. */
async function chooseRows(deps: Deps, tx: Tx, partnerId: string, request: PreflightRequest): Promise<Row[]> {
  const offered = deps.catalog.map((bundle) => bundle.template).filter((template) => template.isActive);
  const names = request.templateNames === undefined ? null : [...new Set(request.templateNames)];
  const unknown = (names ?? []).filter((name) => !offered.some((template) => template.name === name));
  if (unknown.length > 0) {
    const errors = unknown.map((name) => ({
      field: 'templateNames',
      code: 'unknown_template',
      message: `The catalog offers no template "${name}".`,
    }));
    return refuse('validation_failed', { detail: 'A template is not in the catalog.', errors });
  }
  const present = await listTargets(tx, { partnerId, clientId: request.clientId ?? null, templateNames: names });
  const rows = present.flatMap((target) => {
    const template = deps.catalog.find((bundle) => bundle.template.name === target.templateName)?.template;
    if (!template) return [];
    const { id: workflowId, clientId, clientName, config } = target;
    return [{ template, clientId, clientName, workflowId, config, businessProfile: target.businessProfile ?? {} }];
  });
  const wanted = names ?? (present.length > 0 ? [] : offered.map((template) => template.name));
  const absent = offered.filter(
    (template) => wanted.includes(template.name) && !present.some((target) => target.templateName === template.name),
  );
  const clientId = request.clientId ?? null;
  const client = absent.length > 0 && clientId !== null ? await findClientRef(tx, clientId) : undefined;
  const { name: clientName = null, businessProfile = {} } = client ?? {};
  return [...rows, ...absent.map((template) => ({ template, clientId, clientName, workflowId: null, config: {}, businessProfile }))];
}

/** One statement for any number of rows. */
async function readCells(deps: Deps, tx: Tx, partnerId: string, rows: readonly Row[]): Promise<Cell[][]> {
  const needs = rows.map((row) => providersOf(row.template).map((provider) => ({ partnerId, clientId: row.clientId, provider })));
  const flat = needs.flat();
  const resolved = await deps.credentials.resolveCredentials(tx, flat);
  const cells = flat.map((need, index): [CredentialNeed, Cell] => {
    const { state = 'missing', row } = resolved[index] ?? {};
    const message = messageOf(need, state, row !== undefined, row?.lastCheckMessage ?? null);
    const counted = state === 'missing' ? undefined : row;
    const savedAt = counted?.sourceMode === 'byok' ? counted.updatedAt : null;
    const sourceMode = counted?.sourceMode ?? null;
    return [need, { provider: need.provider, state, message, sourceMode, savedAt, checkedAt: counted?.lastCheckAt ?? null }];
  });
  const cellOf = new Map(cells);
  return needs.map((own) => own.flatMap((need) => cellOf.get(need) ?? []));
}

function messageOf(need: CredentialNeed, state: ReadinessState, isSaved: boolean, lastCheck: string | null): string | null {
  const { title } = PROVIDER_RULES[need.provider];
  if (state === 'failing') return lastCheck ?? `${title} failed its last check.`;
  if (state !== 'missing') return null;
  return isSaved ? `The platform offers no ${title} key right now.` : `No ${title} key is saved yet.`;
}
