import { failureOf } from '@partner-portal/core/execution/failures.ts';
import { Link } from '@tanstack/react-router';
import type { RunDetail } from '../queries/runs.ts';
import { buttonClass } from '../ui/controls/button.tsx';
import type { Json } from '../ui/text/json-viewer.tsx';
import { PROVIDERS } from './labels.ts';

export type RunRepair = ReturnType<typeof repairOf>;

/** How a failed run is repaired: the cause behind its error code, what the service answered, and the value of the request that it is about. */
export function repairOf(run: RunDetail) {
  const { answer, request } = callOf(run);
  const { act, ...cause } = failureOf(run.error?.code ?? '', answer.code);
  const refused = cause.field === null ? undefined : request[cause.field.member];
  // A value that came with the event is no setting of the agent.
  const isInput = act === 'settings' && cause.field !== null && isOfEvent(run, refused);
  if (isInput) return { ...cause, fix: cause.fixOfInput ?? cause.fix, act: 'input' as const, answer, refused };
  return { ...cause, act, answer, refused };
}

/** The page on which a failure is repaired; nothing where it is repaired by another input, or by running it again. */
export function RepairLink({ run, repair: { act, service } }: { run: RunDetail; repair: RunRepair }) {
  if (act === 'key' && service)
    return (
      <Link to="/dashboard/integrations" search={{ service, client: run.clientId ?? undefined }} className={buttonClass('default', 'sm')}>
        Replace the {PROVIDERS[service].name} key
      </Link>
    );
  if (act === 'settings')
    return (
      <Link to="/dashboard/agents/$id" params={{ id: run.workflowId }} className={buttonClass('default', 'sm')}>
        Open the agent’s settings
      </Link>
    );
  if (act === 'setup')
    return (
      <Link to="/dashboard/setup" className={buttonClass('default', 'sm')}>
        Open the setup
      </Link>
    );
  return null;
}

type Call = { answer: { status?: number; code?: string | number }; request: { readonly [member: string]: Json } };

/** What the failed step sent to its service, and the answer; empty until the engine has said it. */
function callOf({ steps }: RunDetail): Call {
  const { input, output } = steps.find(({ status }) => status === 'failed') ?? {};
  const { status, code } = recordOf(output);
  return {
    answer: {
      ...(typeof status === 'number' ? { status } : {}),
      ...(typeof code === 'number' || typeof code === 'string' ? { code } : {}),
    },
    request: recordOf(recordOf(input)['body']),
  };
}

export function recordOf(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** Whether the event had this value, as it came or as it was understood. */
function isOfEvent({ input, understood }: RunDetail, value: Json | undefined): boolean {
  if (typeof value !== 'string') return false;
  return [...Object.values(input ?? {}), ...understood.map((one) => one.value)].includes(value);
}
