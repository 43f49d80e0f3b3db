import { explain } from '../app/errors.ts';
import { announceFailure } from '../ui/feedback/toast.tsx';

/** Reports a failed call in a toast that stays until it is closed. */
export function announceError(error: unknown, retry?: () => void): void {
  const { title, detail, requestId } = explain(error);
  announceFailure({ title, detail, requestId, retry });
}
