import { useQuery } from '@tanstack/react-query';
import type { Workflow } from '../queries/agents.ts';
import { agentSampleQuery } from '../queries/agent-sample.ts';
import type { JsonObject } from './edit-input-dialog.tsx';

type Options = { agentId: string; inputs: NonNullable<Workflow['inputs']>; enabled: boolean };

/**
 * Returns why a run of now with an input is certain to text no one, as far as its number is the one of the template's sample, whose preview is no act in the audit
 * log: of another number only the time is known.
 */
export function useNoText({ agentId, inputs, enabled }: Options): (input: JsonObject) => string | undefined {
  const phone = inputs.find(({ writtenTo }) => writtenTo === 'text');
  const preview = useQuery({ ...agentSampleQuery(agentId), enabled: enabled && phone !== undefined }).data;
  return (input) => {
    const isSame = phone !== undefined && input[phone.key] === preview?.input?.[phone.key];
    return preview?.notTexted.find(({ reason }) => isSame || reason === 'quiet_hours')?.message;
  };
}

/** Returns why a run that ended early texted no one because of the number, as its output says; with the settings of now a rerun may. */
export function whyTextedNoOne(output: unknown): string | undefined {
  const { reason, message } = (output ?? {}) as { reason?: unknown; message?: unknown }; // what a flow reports is any JSON
  const isNumber = reason === 'country_not_allowed' || reason === 'number_not_textable';
  return isNumber && typeof message === 'string' ? message : undefined;
}
