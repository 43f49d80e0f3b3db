import { answer } from '#platform/http/answer.ts';
import { defineHandlers, type RequestContext } from '#platform/http/context.ts';
import { csvOfList } from '#platform/http/csv-list.ts';
import type { ProvisioningDeps } from './deps.ts';
import { verifyAutomation } from './drift/check-drift.ts';
import { listOutbox, OUTBOX_COLUMNS, OUTBOX_PAGE } from './views/list-outbox.ts';
import { listTemplates } from './views/list-templates.ts';
import { preflight } from './attempts/preflight.ts';
import { provision, type RunningAttempts } from './attempts/provision.ts';
import { readAttempts, readInstance, readMyAutomation, readSteps } from './views/read-automation.ts';
import type { EngineLook } from './views/look-at-engine.ts';
import { readEngine } from './views/read-engine.ts';
import type { EngineRefresh } from './views/refresh-engine.ts';
import type { AttemptRequest } from './attempts/start-attempt.ts';
import { streamAutomation, streamMyAutomation } from './views/stream-automation.ts';
import { viewWorkflow } from './views/view-workflow.ts';

type Given = { running: RunningAttempts; look: EngineLook; refresh: EngineRefresh['refresh'] };

export function provisioningHandlers(deps: ProvisioningDeps, { running, look, refresh }: Given) {
  /** Within the request, or behind it for a caller who prefers that, and for every caller once it takes longer than a proxy waits. */
  const run = async (context: RequestContext, request: AttemptRequest) => {
    const respondAsync = prefersAsync(context.header('prefer'));
    const answerWithinMs = respondAsync ? 0 : deps.settings.answerWithinMs;
    const result = await provision(deps, running, context.actor, request, { answerWithinMs, caller: context });
    return answer(202, result, respondAsync ? { 'preference-applied': 'respond-async' } : {});
  };
  return defineHandlers({
    getAutomation: ({ params }, { actor }) => readInstance(deps, actor, params.id),
    listAttempts: ({ params }, { actor }) => readAttempts(deps, actor, params.id),
    listSteps: ({ params, query }, { actor }) => readSteps(deps, actor, params.id, query.attemptId),
    provision: ({ params, body }, context) => run(context, { ...body, partnerId: params.id, mode: 'provision' }),
    reprovision: ({ params, body }, context) => run(context, { ...body, partnerId: params.id, mode: body?.mode ?? 'repair' }),
    deprovision: ({ params, query }, context) => run(context, { partnerId: params.id, mode: 'deprovision', confirm: query.confirm }),
    streamAutomation: ({ params }, { actor }) => streamAutomation(deps, actor, params.id),
    viewWorkflow: ({ params }, { actor }) => viewWorkflow(deps, actor, params.id, params.workflowId),
    getMyAutomation: ({ query }, { actor }) => readMyAutomation(deps, actor, query),
    streamMyAutomation: ({ query }, { actor }) => streamMyAutomation(deps, actor, query.partnerId),
    preflight: ({ body }, { actor }) => preflight(deps, actor, body),
    listTemplates: (_input, { actor }) => listTemplates(deps, actor),
    getEngine: (_input, { actor }) => readEngine(deps, actor, look),
    refreshEngine: (_input, context) => refresh(context),
    verifyAutomation: ({ params }, context) => verifyAutomation(deps, context, params.id),
    exportOutbox: ({ query }, { actor, now }) =>
      csvOfList({ name: 'outbox', now }, OUTBOX_COLUMNS, (cursor) => listOutbox(deps, actor, { ...query, limit: OUTBOX_PAGE, cursor })),
    listOutbox: ({ query }, { actor }) => listOutbox(deps, actor, query),
  });
}

/** `Prefer: respond-async` (RFC 7240), among other preferences or alone. */
function prefersAsync(prefer: string | undefined): boolean {
  return (prefer ?? '').split(',').some((one) => one.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}
