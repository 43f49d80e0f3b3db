import type { Workflow } from '../../queries/agents.ts';
import type { JsonObject } from '../../shared/edit-input-dialog.tsx';

type Input = NonNullable<Workflow['inputs']>[number];

/** The input whose number an agent texts: that of the person its event is about. Undefined for an agent that texts no such person. */
export function phoneInputOf({ inputs = [] }: Pick<Workflow, 'inputs'>): Input | undefined {
  return inputs.find(({ writtenTo }) => writtenTo === 'text');
}

/** The input with the number of the business that texts are sent from, of an agent that takes it from its event. */
export function senderInputOf({ inputs = [] }: Pick<Workflow, 'inputs'>): Input | undefined {
  return inputs.find(({ type, required, writtenTo }) => type === 'phone' && required && writtenTo === null);
}

/** The template's sample with these numbers in it. The made-up person of the sample gets no mail: an address that is not needed is left out. */
export function phoneTestInput(
  { inputs = [] }: Pick<Workflow, 'inputs'>,
  sample: JsonObject,
  numbers: { [key: string]: string },
): JsonObject {
  const mailed = inputs.filter(({ writtenTo, required }) => writtenTo === 'mail' && !required).map(({ key }) => key);
  return { ...Object.fromEntries(Object.entries(sample).filter(([key]) => !mailed.includes(key))), ...numbers };
}
