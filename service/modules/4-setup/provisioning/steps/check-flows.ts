import { compareFlow } from '@partner-portal/core/template/drift.ts';
import { demandRunning, type Install, type Step, type StepContext } from '../attempt.ts';
import { StepFailed } from '../step-failed.ts';
import { recordVersion } from '../store-workflows.ts';

const MISMATCH = 'An installed agent does not match its template. Please try again, or contact support.';

function mismatch(
  { id, name, clientId }: Install['target'],
  flowId: string,
  what: string,
  metadata: { [key: string]: unknown } = {},
): StepFailed {
  const say = (agent: string): string => `The flow ${flowId} of ${agent} ${what}.`;
  return new StepFailed(
    { internal: say(`“${name}”`), public: MISMATCH },
    { metadata: { clientId, ...metadata }, logged: say(`the agent ${id}`) },
  );
}

function installsOf(context: StepContext): Install[] {
  if (context.installs === null) throw new Error('Flows are checked before they were imported.');
  return context.installs;
}

/** Reads each flow that was written back and compares it with its template step by step: the engine drops some edits silently. */
export const verifyFlows: Step = async (context) => {
  const installs = installsOf(context);
  for (const { target, flow, flowId, unchanged } of installs) {
    if (unchanged) continue;
    const found = await context.deps.engine.getFlow(flowId);
    if (found === null) throw mismatch(target, flowId, 'is not in the engine');
    const differences = compareFlow(flow, found.version);
    if (differences.length === 0) continue;
    const list = differences
      .slice(0, 10)
      .map(({ step, what }) => `${step} ${what}`)
      .join('; ');
    throw mismatch(target, flowId, `differs from its template: ${list}`, { differences });
  }
  return { summary: countOf(installs.length, 'matches its template', 'match their templates') };
};

/**
 * Publishes unpublished flows. Skips one that is on at the right version: republishing interrupts it. The version and price of an agent are recorded
 * once its flow is on: until then the engine runs the version before.
 */
export const enableFlows: Step = async (context) => {
  const installs = installsOf(context);
  let published = 0;
  for (const { target, bundle, flowId, unchanged } of installs) {
    const found = unchanged ?? (await context.deps.engine.getFlow(flowId));
    if (found === null) throw mismatch(target, flowId, 'is not in the engine');
    await context.deps.db.asSystem('provisioning', (tx) => demandRunning(tx, context));
    if (found.publishedVersionId !== found.version.id) {
      await context.deps.engine.publish(flowId);
      published++;
    } else if (found.status !== 'ENABLED') {
      await context.deps.engine.changeStatus(flowId, 'ENABLED');
      published++;
    }
    await context.deps.db.asSystem('provisioning', async (tx) => {
      await demandRunning(tx, context);
      await recordVersion(tx, context.attempt.partnerId, target.id, bundle.template);
    });
  }
  return { summary: countOf(installs.length, 'is on', 'are on'), metadata: { published } };
};

function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? `flow ${one}` : `flows ${many}`}`;
}
