import { useQuery } from '@tanstack/react-query';
import type { Workflow } from '../queries/agents.ts';
import { phonePreviewQuery } from '../queries/agent-sample.ts';
import type { JsonObject } from './edit-input-dialog.tsx';

type Options = {
  agentId: string;
  inputs: NonNullable<Workflow['inputs']>;
  /** The input before it is edited; the sample of the template, whose preview is no act in the audit log, without one. */
  given?: JsonObject | undefined;
  enabled: boolean;
};

/** Returns why a run of now with an input is certain to text no one, as far as its number is the one of `given`: of another number only the time is known. */
export function useNoText({ agentId, inputs, given, enabled }: Options): (input: JsonObject) => string | undefined {
  const phone = inputs.find(({ writtenTo }) => writtenTo === 'text');
  const preview = useQuery({ ...phonePreviewQuery(agentId, given), enabled: enabled && phone !== undefined }).data;
  return (input) => {
    const isSame = phone !== undefined && input[phone.key] === (given ?? preview?.input)?.[phone.key];
    return preview?.notTexted.find(({ reason }) => isSame || reason === 'quiet_hours')?.message;
  };
}
