import { announce } from '../ui/feedback/toast.tsx';
import { type BulkResults, describeResults } from './bulk-result.ts';

/** Announces what became of a call for many clients. */
export function announceResults(results: BulkResults, noun: string): void {
  const { title, detail } = describeResults(results, noun);
  announce(title, detail === undefined ? {} : { detail });
}
