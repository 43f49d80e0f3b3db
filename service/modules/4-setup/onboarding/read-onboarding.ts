import { sampleInput } from '@partner-portal/core/template/input.ts';
import {
  canInstallSample,
  listOnboarding,
  type OnboardingItem,
  progressOf,
  sampleState,
  sampleTemplate,
} from '@partner-portal/core/onboarding/onboarding.ts';
import { textedInputs } from '@partner-portal/core/template/texted.ts';
import type { JsonObject, Template, TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database, TenantTx, Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { Provisioning } from '#modules/4-setup/provisioning/index.ts';
import { type FactsRow, findFirstClient, findLastTest, findSampleAgent, findSampleRequest, findTextingAgent, readFacts } from './store.ts';

export type OnboardingDeps = {
  db: Database;
  bundles: readonly TemplateBundle[];
  startTest: StartTest;
  /** The recorded setup of the one agent that an agency's admin may have installed. */
  setup: Provisioning['sample'];
};
/** Starts a run by hand whose source is `test`. */
export type StartTest = (
  context: RequestContext,
  workflowId: string,
  input: JsonObject,
) => Promise<{ accepted: true; executionId: string }>;

export type Checklist = { items: OnboardingItem[]; dismissedAt: Date | null };

/** The first steps of one agency, for a module that shows them next to other things. */
export async function readChecklist(tx: Tx, partnerId: string, templates: readonly Template[]): Promise<Checklist> {
  const [row] = await readFacts(tx, [partnerId], sampleTemplate(templates)?.name ?? '');
  return row ? toChecklist(row) : { items: [], dismissedAt: null };
}

function toChecklist(row: FactsRow): Checklist {
  const dismissals = row.dismissals.map(({ key, dismissedAt }) => ({ key, dismissedAt: new Date(dismissedAt) }));
  const items = listOnboarding(
    {
      client: row.clientAt,
      key: row.keyAt,
      agent: row.agentAt,
      sample: row.hasSample || null,
      event: row.hasEvent || null,
      team: row.teamAt,
      webhook: row.webhookAt,
    },
    dismissals,
  );
  return { items, dismissedAt: dismissals.find(({ key }) => key === 'all')?.dismissedAt ?? null };
}

export function readOnboarding(deps: OnboardingDeps, { actor, now }: RequestContext) {
  return deps.db.asTenant(actor, (tx) => describeOnboarding(deps, tx, actor.partnerId, now));
}

export async function describeOnboarding(deps: OnboardingDeps, tx: TenantTx, partnerId: string, now: Date) {
  const templates = deps.bundles.map(({ template }) => template);
  const { items, dismissedAt } = await readChecklist(tx, partnerId, templates);
  const texting = templates.filter((template) => textedInputs(template).length > 0).map(({ name }) => name);
  const textingAgent = (await findTextingAgent(tx, partnerId, texting)) ?? null;
  return { ...progressOf(items), items, dismissedAt, textingAgent, sample: await readSample(deps, tx, partnerId, now) };
}

async function readSample(deps: OnboardingDeps, tx: TenantTx, partnerId: string, now: Date) {
  const bundle = sampleBundle(deps.bundles);
  if (!bundle) return null;
  const { template, sample } = bundle;
  const facts = await readSampleFacts(deps, tx, partnerId, template.name);
  const { agent, request, client } = facts;
  return {
    state: sampleState(facts),
    templateName: template.name,
    title: template.title,
    creditsPerRun: template.creditsPerRun,
    agentId: agent?.id ?? null,
    clientName: agent ? agent.clientName : (request?.clientName ?? client?.name ?? null),
    requestId: request?.id ?? null,
    clientId: client?.id ?? null,
    canInstall: canInstallSample(facts),
    attemptId: facts.attemptId,
    errorPublic: facts.errorPublic,
    run: (agent && (await findLastTest(tx, agent.id))) ?? null,
    input: sampleInput(sample.input, now),
    steps: template.steps.map(({ name, label }) => ({ name, label })),
    result: sample.result,
  };
}

/** State that decides about the sample run of an agency. */
export async function readSampleFacts(deps: Pick<OnboardingDeps, 'setup'>, tx: TenantTx, partnerId: string, templateName: string) {
  const agent = (await findSampleAgent(tx, partnerId, templateName)) ?? null;
  const request = (await findSampleRequest(tx, partnerId, templateName)) ?? null;
  const client = (await findFirstClient(tx, partnerId)) ?? null;
  return { agent, request, client, hasClient: client !== null, ...(await deps.setup.read(tx, partnerId, templateName)) };
}

export function sampleBundle(bundles: readonly TemplateBundle[]): TemplateBundle | undefined {
  const template = sampleTemplate(bundles.map((bundle) => bundle.template));
  return bundles.find((bundle) => bundle.template === template);
}

/** How far agencies are, for staff. */
export function listPartnerOnboarding({ db, bundles }: OnboardingDeps, actor: Actor, ids: readonly string[]) {
  return db.asStaff(actor, async (tx) => {
    const rows = await readFacts(tx, ids, sampleBundle(bundles)?.template.name ?? '');
    return rows.map((row) => {
      const { items } = toChecklist(row);
      const progress = progressOf(items);
      return { partnerId: row.partnerId, ...progress, nextTitle: items.find(({ key }) => key === progress.nextKey)?.title ?? null };
    });
  });
}
