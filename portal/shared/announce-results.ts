import { announce } from '../ui/feedback/toast.tsx';
import { type BulkResults, describeResults } from './bulk-result.ts';

/** Announces what became of a call for many clients. */
export function announceResults(results: BulkResults): void {
  const { title, detail } = describeResults(results);
  announce(title, detail === undefined ? {} : { detail });
}
