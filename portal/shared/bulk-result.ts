import type { Reply } from '../app/api.ts';
import { joinWords, plural } from '../ui/text/format.ts';

export type BulkResults = Reply<'copyAgent'>['results'];

const WHY: Record<Exclude<BulkResults[number]['result'], 'submitted'>, string> = {
  has_agent: 'already has this agent',
  requested: 'already has an open request',
  not_allowed: 'is suspended or archived',
};

/** Says what became of a call for many clients: how many requests were made, and who got none and why. */
export function describeResults(results: BulkResults): { title: string; detail?: string } {
  const made = results.filter((one) => one.result === 'submitted').length;
  const left = results.filter((one) => one.result !== 'submitted');
  const title = made === 0 ? 'No request was submitted.' : `${plural(made, 'request')} submitted.`;
  if (left.length === 0) return { title };
  const named = left.slice(0, 3).map((one) => `${one.clientName} ${one.result === 'submitted' ? '' : WHY[one.result]}`);
  return { title, detail: `${joinWords(left.length > 3 ? [...named, `${left.length - 3} more got none`] : named)}.` };
}
