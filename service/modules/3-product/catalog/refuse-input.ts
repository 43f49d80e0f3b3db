import type { InputProblem } from '@partner-portal/core/template/input.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import { refuse } from '#platform/refuse.ts';

/** Refuses an event that lacks required values, or else has such that cannot be understood. `prefix`: the path of the event in the request. */
export function refuseInput(problems: readonly InputProblem[], prefix = ''): never {
  const errors = problems.map(({ key, code, message }) => ({ field: `${prefix}${key}`, code, message }));
  const missing = problems.filter(({ code }) => code === 'required').map(({ key, label, example }) => ({ key, label, example }));
  if (missing.length > 0) {
    const example: { [key: string]: Json } = Object.fromEntries(missing.map((one) => [one.key, one.example]));
    const detail = `The event lacks ${missing.map(({ key }) => `"${key}"`).join(', ')}. For example: ${JSON.stringify(example)}`;
    return refuse('missing_input', { detail, missing, errors });
  }
  return refuse('invalid_input', {
    detail: problems.map(({ message }) => message).join(' '),
    invalid: problems.map(({ key, label, came, example }) => ({ key, label, came, example })),
    errors,
  });
}
