import { isEngineError } from '#adapters/engine-client.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { Step, StepContext } from '../attempt.ts';
import { AttemptOver, NOT_SET_UP, StepFailed } from '../step-failed.ts';
import { writeInstance } from '../store-attempts.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';

function writes(context: StepContext, change: Parameters<typeof writeInstance>[2]): (tx: SystemTx) => Promise<void> {
  return async (tx) => {
    const held = await writeInstance(tx, { partnerId: context.attempt.partnerId, attemptId: context.attempt.id }, change);
    if (!held) throw new AttemptOver();
  };
}

/** Writes the engine's internal address, the same for every partner and tenancy mode. */
export const resolveEndpoint: Step = async (context) => {
  const baseUrl = context.deps.settings.engineBaseUrl();
  if (baseUrl === null) throw new StepFailed({ internal: 'No engine address is set (AUTOMATION_ENGINE_BASE_URL).', public: NOT_SET_UP });
  return { summary: 'Base URL written', metadata: { baseUrl }, write: writes(context, { baseUrl }) };
};

/** Requires a healthy engine within AUTOMATION_HEALTH_TIMEOUT_MS, of a tested version. */
export const verifyConnectivity: Step = async ({ deps }) => {
  const budgetMs = deps.settings.healthTimeoutMs;
  const health = await deps.engine.health(budgetMs);
  if (health.state !== 'healthy') {
    throw new StepFailed({
      internal: `The engine is ${health.state} (budget ${budgetMs} ms): ${health.message ?? 'no reason given'}`,
      public: 'The automation platform did not answer. Please try again in a few minutes.',
    });
  }
  const about = await deps.engine.about();
  return {
    summary: `Healthy in ${health.responseMs ?? 0} ms, budget ${budgetMs / 1000} s`,
    metadata: { responseMs: health.responseMs, version: about.version, edition: about.edition },
  };
};

/** Shared: requires the configured project. Project: finds or creates the partner's own. */
export const ensureTenant: Step = async (context) => {
  const { settings } = context.deps;
  if (settings.tenancyMode === 'project') return ensureOwnProject(context);
  const projectId = settings.engineProjectId();
  if (projectId === null) {
    throw new StepFailed({
      internal: 'Shared tenancy needs a project ID, and AUTOMATION_ENGINE_PROJECT_ID is not set.',
      public: NOT_SET_UP,
    });
  }
  if (!(await context.deps.engine.hasProject(projectId))) {
    throw new StepFailed({ internal: `The engine has no project "${projectId}" (AUTOMATION_ENGINE_PROJECT_ID).`, public: NOT_SET_UP });
  }
  context.projectId = projectId;
  return { summary: 'Shared, nothing created', metadata: { projectId }, write: writes(context, { projectId }) };
};

async function ensureOwnProject(context: StepContext): ReturnType<Step> {
  const { deps, attempt } = context;
  const own = await listOwnProjects(context);
  const found = own.find((project) => project.id === context.projectId) ?? own[0];
  const partner = found ? undefined : await deps.db.asSystem('provisioning', (tx) => findPartnerRef(tx, attempt.partnerId));
  const project = found ?? (await createProject(context, `${partner?.slug ?? 'partner'} ${attempt.partnerId}`));
  context.projectId = project.id;
  const summary = found ? 'Own project found' : 'Own project created';
  return { summary, metadata: { projectId: project.id }, write: writes(context, { projectId: project.id }) };
}

/** The partner's projects in the engine, identified by the id at the end of their names; the slug before it may have changed. */
export async function listOwnProjects({ deps, attempt }: StepContext): Promise<{ id: string }[]> {
  const named = await deps.engine.listProjects(attempt.partnerId);
  return named.filter((project) => project.displayName.endsWith(` ${attempt.partnerId}`));
}

async function createProject({ deps, attempt }: StepContext, displayName: string): Promise<{ id: string }> {
  try {
    return await deps.engine.createProject({ displayName, externalId: attempt.partnerId });
  } catch (error) {
    if (!isEngineError(error, 'plan_limit')) throw error;
    throw new StepFailed(
      {
        internal: `Project tenancy needs one engine project per partner, and the engine’s plan allows no more: ${error.message}`,
        public: 'Your own space on the automation platform could not be created. Please contact support.',
      },
      { cause: error },
    );
  }
}
